import { useCallback, useMemo } from 'react';
import { isTimeZone } from '../../../../../src/contracts/timeZones.ts';
import { DEFAULT_USAGE_RANGE, SEAT_RANGES } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { dayIn, useListAddress } from '../../../lib/listAddress.ts';
import { type CustomRange, faultOf } from '../../usage/index.ts';
import type { UtilizationChoice } from '../api/utilization.ts';

/** The range of an address, by default the last 30 days in the browser's time zone. What a user edited into something invalid is ignored. */
export const utilizationIn = (address: URLSearchParams): UtilizationChoice => {
  const asked = Number(address.get('days'));
  const custom = { from: dayIn(address.get('from')), to: dayIn(address.get('to')) };
  const zone = address.get('zone') ?? '';
  return {
    days: SEAT_RANGES.find((range) => range === asked) ?? DEFAULT_USAGE_RANGE,
    custom: faultOf(custom) === null ? custom : null,
    zone: zone !== '' && isTimeZone(zone) ? zone : format.zone,
  };
};

/** The range in the address. A chosen range names the time zone, so that a link shows the same to every user. */
export const useUtilizationChoice = () => {
  const { address, change } = useListAddress();
  const choice = useMemo(() => utilizationIn(address), [address]);
  const { zone } = choice;
  return {
    choice,
    chooseDays: useCallback(
      (days: string) => change({ days: days === String(DEFAULT_USAGE_RANGE) ? '' : days, from: '', to: '', zone }),
      [change, zone],
    ),
    chooseCustom: useCallback((custom: CustomRange) => change({ days: '', ...custom, zone }), [change, zone]),
  };
};
