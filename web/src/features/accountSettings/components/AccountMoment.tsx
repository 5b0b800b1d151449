import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { AsOf, AsOfBanner, HistoryCard, useAsOf } from '../../history/index.ts';

export type AccountMomentProps = { integrator: ServiceIntegrator };

/** The account at a time, with its history until then; without a time, the choice of one. Loaded after the screen. */
export const AccountMoment = ({ integrator: { id, createdAt } }: AccountMomentProps) => {
  const { at } = useAsOf();
  const [startsAtMoment] = useState(at !== null);
  const source = { kind: 'integrator', id, path: '/api/service-integrator' } as const;
  return (
    <Flex direction="column" gap="4" mt={at === null ? '4' : '0'}>
      <AsOf key={String(at === null)} source={source} createdAt={createdAt} takesFocus={at !== null && !startsAtMoment} />
      {at !== null && <HistoryCard source={source} until={at} />}
    </Flex>
  );
};

/** States that the screen shows the account at an earlier time. */
export const MomentBanner = () => <AsOfBanner kind="integrator" />;
