import { Box, Flex, Text } from '@chakra-ui/react';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { messageOf } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { useBranding } from '../../../ui/branding.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { RefreshCw } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { Banner } from '../../../ui/states.tsx';
import { useVerifyDomain } from '../api/whiteLabel.ts';
import { whiteLabelTexts as texts } from '../texts.ts';

const { dnsColumns: columns } = texts;

type RecordProps = { type: 'CNAME' | 'TXT'; purpose: string; name: string; value: string };

const Line = ({ label, text, copyLabel }: { label: string; text: string; copyLabel: string }) => (
  <Flex align="center" gap="3" minH="7">
    <Text as="dt" textStyle="xs" color="fg.subtle" w="12" flexShrink="0">
      {label}
    </Text>
    <Flex as="dd" align="center" gap="1" flex="1" minW="0" justify="space-between">
      <Box as="code" className="mono" overflowWrap="anywhere">
        {text}
      </Box>
      <CopyButton text={text} label={copyLabel} />
    </Flex>
  </Flex>
);

const DnsRecord = ({ type, purpose, name, value }: RecordProps) => (
  <Box
    as="section"
    aria-label={`${type} record`}
    borderWidth="1px"
    borderColor="border"
    borderRadius="l2"
    bg="bg.subtle"
    px="3.5"
    py="3"
  >
    <Flex align="center" gap="2" mb="2">
      <Badge tone="brand">{type}</Badge>
      <Text textStyle="xs" color="fg.muted">
        {purpose}
      </Text>
    </Flex>
    <dl>
      <Line label={columns.name} text={name} copyLabel={texts.copyName(type)} />
      <Line label={columns.value} text={value} copyLabel={texts.copyValue(type)} />
    </dl>
  </Box>
);

/** The server looks up the record every minute; the button looks it up now and shows the error. */
const Unverified = ({ integrator }: { integrator: ServiceIntegrator }) => {
  const verify = useVerifyDomain(integrator.id);
  const press = () => verify.mutate(undefined, { onError: (error) => notify.error(messageOf(error, texts.verifyFailed)) });
  return (
    <>
      <Flex align="center" justify="space-between" gap="3" wrap="wrap">
        <StatusBadge status="warning">{texts.waiting}</StatusBadge>
        <BusyButton size="xs" variant="outline" onClick={press} isBusy={verify.isPending} busyLabel={texts.checking}>
          <RefreshCw aria-hidden />
          {texts.check}
        </BusyButton>
      </Flex>
      {integrator.domainExpiresAt && (
        <Text textStyle="sm" color="fg.muted">
          {texts.expires(format.date(integrator.domainExpiresAt))}
        </Text>
      )}
      {verify.data?.success === false && !verify.isPending && <Banner tone="warning">{verify.data.error}</Banner>}
    </>
  );
};

/** Whether the saved domain is verified. */
const Verification = ({ integrator, domain }: DnsPanelProps) => {
  const isSaved = integrator.customDomain === domain;
  if (isSaved && !integrator.domainVerified) return <Unverified integrator={integrator} />;
  return (
    <Box>
      {isSaved ? (
        <StatusBadge status="active">{texts.verified}</StatusBadge>
      ) : (
        <StatusBadge status="unsaved">{texts.unsaved}</StatusBadge>
      )}
    </Box>
  );
};

type DnsPanelProps = { integrator: ServiceIntegrator; domain: string };

/** The DNS records that route the domain here and verify it. */
export const DnsPanel = ({ integrator, domain }: DnsPanelProps) => {
  const { portalHost } = useBranding();
  return (
    <Card as="section" aria-label={texts.dns}>
      <CardHead title={texts.dns} sub={texts.dnsIntro} />
      <Flex direction="column" gap="3" px={{ base: '4', md: '5' }} pb="5">
        <Verification integrator={integrator} domain={domain} />
        <DnsRecord type="CNAME" purpose={texts.dnsPurpose.cname} name={domain} value={portalHost} />
        <DnsRecord
          type="TXT"
          purpose={texts.dnsPurpose.txt}
          name={`_latchkey.${domain}`}
          value={`latchkey-verify=${integrator.id}`}
        />
      </Flex>
    </Card>
  );
};
