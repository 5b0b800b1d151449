import { Box, Button } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { format } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badges.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Banner } from '../../../ui/states.tsx';

const texts = {
  requested: 'Deletion requested',
  count: (n: number): string =>
    n === 1 ? '1 customer requested the deletion of its account.' : `${format.whole(n)} customers requested account deletion.`,
  review: 'Review requests',
} as const;

/** Marks a customer that requested the deletion of its account. */
export const DeletionBadge = ({ customer }: { customer: Pick<Customer, 'deletionRequestedAt'> }) =>
  customer.deletionRequestedAt === null ? null : <Badge tone="red">{texts.requested}</Badge>;

/** Limits a list of customers to those that requested the deletion of their account. */
export const DeletionFilter = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <Button size="xs" ms={{ md: 'auto' }} variant={isOn ? 'solid' : 'outline'} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
    {texts.requested}
  </Button>
);

/** On a dashboard: the number of customers that requested the deletion of their account, with a link. Nothing for 0. */
export const DeletionNotice = ({ count, list }: { count: number; list: string }) =>
  count === 0 ? null : (
    <Box mt="4">
      <Banner
        tone="warning"
        action={
          <Link className="text-link" to={`${list}?deletionRequested=true`}>
            {texts.review}
          </Link>
        }
      >
        {texts.count(count)}
      </Banner>
    </Box>
  );
