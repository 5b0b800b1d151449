import { Box, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useEffect } from 'react';
import { useBranding } from './branding.ts';
import { noteScreenTitle, type ScreenOwner } from './screenTitle.ts';

type PageHeadProps = {
  title: string;
  /** What the screen is a part of, where that is not in the title. */
  owner?: ScreenOwner;
  sub?: ReactNode;
  back?: ReactNode;
  actions?: ReactNode;
};

/** The screen's one `h1`, and the document's title. */
export const PageHead = ({ title, owner, sub, back, actions }: PageHeadProps) => {
  useTitle(title, owner);
  return (
    <Box mb="6">
      {back && <Box mb="3">{back}</Box>}
      <Flex
        align={{ base: 'stretch', md: 'flex-end' }}
        justify="space-between"
        gap="4"
        direction={{ base: 'column', md: 'row' }}
        wrap={{ md: 'wrap' }}
      >
        {/* Actions that leave less space to the title are below it. */}
        <Box minW="0" flex={{ md: '1 1 12rem' }}>
          <Text as="h1" textStyle="2xl" fontWeight="semibold" overflowWrap="anywhere">
            {title}
          </Text>
          {sub && (
            <Text as="div" textStyle="md" color="fg.muted" mt="0.5" overflowWrap="anywhere" textWrap="pretty">
              {sub}
            </Text>
          )}
        </Box>
        {actions && (
          <Flex
            data-page-actions
            gap="2.5"
            align="center"
            flexShrink="0"
            maxW="full"
            wrap="wrap"
            css={{ '& > *': { flexGrow: { base: 1, md: 0 } } }}
          >
            {actions}
          </Flex>
        )}
      </Flex>
    </Box>
  );
};

/** Sets the title of the browser's tab, and of the breadcrumbs. */
export const useTitle = (title: string, owner?: ScreenOwner): void => {
  const { productName } = useBranding();
  const { name, to } = owner ?? {};
  useEffect(() => {
    noteScreenTitle(title, name !== undefined && to !== undefined ? { name, to } : null);
    document.title = [...new Set([title, name ?? title, productName])].join(' · ');
  }, [title, name, to, productName]);
};
