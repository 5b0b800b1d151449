import { Box, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/badges.tsx';
import { asOfTexts as texts } from '../asOfTexts.ts';

/** The objects of a moment, of which there may be more than are listed. */
type Listed<T> = Readonly<{ objects: readonly T[]; count: number }>;

type AsOfListProps<T> = {
  title: string;
  /** Shown where there are none. */
  none: string;
  /** Shown below a list that is not complete. */
  incomplete: string;
  listed: Listed<T>;
  /** The same of the other moment; undefined without one. */
  other: Listed<T> | undefined;
  idOf: (object: T) => string;
  children: (object: T) => ReactNode;
};

/** How an object differs from the other moment; null where it does not, or where no other moment is shown. */
const differenceOf = <T,>(object: T, idOf: (object: T) => string, other: Listed<T> | undefined): 'added' | 'changed' | null => {
  if (!other) return null;
  const then = other.objects.find((one) => idOf(one) === idOf(object));
  if (!then) return other.objects.length < other.count ? null : 'added';
  return JSON.stringify(then) === JSON.stringify(object) ? null : 'changed';
};

/** The objects of a moment, such as users. Those that differ from the other moment are marked. */
export const AsOfList = <T,>({ title, none, incomplete, listed, other, idOf, children }: AsOfListProps<T>) => (
  <Box px={{ base: '4', md: '5' }} pb="5" pt="2">
    <Text as="h4" textStyle="sm" fontWeight="semibold" mb="2">
      {title}
    </Text>
    {listed.objects.length === 0 ? (
      <Text textStyle="sm" color="fg.muted">
        {none}
      </Text>
    ) : (
      <Box as="ul" listStyleType="none" aria-label={title}>
        {listed.objects.map((object) => {
          const difference = differenceOf(object, idOf, other);
          return (
            <Box
              as="li"
              key={idOf(object)}
              display="flex"
              flexWrap="wrap"
              alignItems="center"
              columnGap="2"
              rowGap="1"
              py="1.5"
              borderTopWidth="1px"
              borderColor="border.muted"
              textStyle="sm"
            >
              {children(object)}
              {difference && <Badge tone="amber">{texts.differs[difference]}</Badge>}
            </Box>
          );
        })}
      </Box>
    )}
    {listed.objects.length < listed.count && (
      <Text textStyle="xs" color="fg.subtle" mt="2">
        {incomplete}
      </Text>
    )}
  </Box>
);

/** The name of a listed object, with what says more about it below the name on narrow screens. */
export const Named = ({ name, detail }: { name: string; detail: string }) => (
  <>
    <Text as="span" fontWeight="medium" overflowWrap="anywhere">
      {name}
    </Text>
    <Text as="span" color="fg.subtle" textStyle="xs" overflowWrap="anywhere" flex={{ base: '1 0 100%', md: '1' }}>
      {detail}
    </Text>
  </>
);
