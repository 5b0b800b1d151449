import { Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Card } from '../../../ui/Card.tsx';
import { LogoMark } from '../../../ui/Logo.tsx';

type FrameProps = { title: string; sub?: ReactNode; children?: ReactNode; footer?: ReactNode };

/** The heading of the screen, a card below it, and an action below that. */
export const Frame = ({ title, sub, children, footer }: FrameProps) => (
  <>
    <Flex direction="column" align="center" textAlign="center" mb="6">
      <LogoMark size={44} />
      <Text as="h1" textStyle="2xl" fontWeight="semibold" mt="4" overflowWrap="anywhere">
        {title}
      </Text>
      {sub && (
        <Text as="div" textStyle="md" color="fg.muted" mt="1" overflowWrap="anywhere" textWrap="pretty">
          {sub}
        </Text>
      )}
    </Flex>
    {children && (
      <Card p={{ base: '4', md: '6' }} boxShadow="md">
        {children}
      </Card>
    )}
    {footer && (
      <Flex justify="center" mt="5">
        {footer}
      </Flex>
    )}
  </>
);
