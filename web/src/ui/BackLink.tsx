import { chakra } from '@chakra-ui/react';
import { ArrowLeft } from './icons.ts';
import { Link } from './Link.tsx';

const Anchor = chakra(Link);

/** A link with an arrow to the screen above, such as from a customer to the list. */
export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor
    to={to}
    display="inline-flex"
    alignItems="center"
    gap="1.5"
    textStyle="sm"
    fontWeight="medium"
    color="fg.muted"
    _hover={{ color: 'fg' }}
  >
    <ArrowLeft size={15} aria-hidden />
    {children}
  </Anchor>
);
