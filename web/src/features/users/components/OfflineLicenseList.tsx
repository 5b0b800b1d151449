import { Box, Text } from '@chakra-ui/react';
import type { ValidOfflineLicense } from '../../../../../src/contracts/machines.ts';
import { Time } from '../../../ui/Time.tsx';
import { offlineTexts as texts } from '../offlineTexts.ts';

/** The offline licenses of a user that are valid now, with their machines. */
export const OfflineLicenseList = ({ licenses }: { licenses: readonly ValidOfflineLicense[] }) => (
  <Box as="ul" listStyleType="none" aria-label={texts.valid}>
    {licenses.map(({ id, fingerprint, machineName, expiresAt }) => (
      <Box as="li" key={id} py="2.5" _notFirst={{ borderTopWidth: '1px' }} borderColor="border.muted">
        <Text textStyle="sm" fontWeight="medium" overflowWrap="anywhere">
          {machineName ?? texts.unnamed}
        </Text>
        <Text textStyle="xs" color="fg.subtle" overflowWrap="anywhere">
          <code className="mono">{fingerprint}</code> · {texts.validUntil} <Time at={expiresAt} />
        </Text>
      </Box>
    ))}
  </Box>
);
