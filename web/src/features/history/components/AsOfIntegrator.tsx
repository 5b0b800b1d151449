import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { IntegratorAsOfReply } from '../../../../../src/contracts/history.ts';
import { format } from '../../../lib/format.ts';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { integratorAsOfQuery } from '../api/asOf.ts';
import { asOfTexts as texts } from '../asOfTexts.ts';
import { historyTexts } from '../texts.ts';
import { FieldFact } from './AsOfLicense.tsx';
import { AsOfList, Named } from './AsOfList.tsx';
import { MomentCard, Moments, type MomentsProps } from './AsOfMoments.tsx';

const { asOfFacts: names } = texts;
const { valueNames } = historyTexts;

type Reply = IntegratorAsOfReply;
type MomentProps = { reply: Reply; other: Reply | undefined };

const themesOf = ({ themes, themeCount }: Reply) => ({ objects: themes, count: themeCount });
const membersOf = ({ members, memberCount }: Reply) => ({ objects: members, count: memberCount });

type Theme = Reply['themes'][number];

const Colors = ({ theme: { primaryColor, secondaryColor, accentColor } }: { theme: Theme }) => (
  <Flex gap="1" aria-hidden>
    {[primaryColor, secondaryColor ?? primaryColor, accentColor ?? primaryColor].map((color, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: three fixed positions, and two colors may be equal
      <Box key={at} boxSize="3" borderRadius="full" bg={color} boxShadow="inset 0 0 0 1px rgb(0 0 0 / 0.12)" />
    ))}
  </Flex>
);

const Themes = ({ reply, other }: MomentProps) => (
  <AsOfList
    title={texts.themesThen(format.whole(reply.themeCount))}
    none={texts.noThemesThen}
    incomplete={texts.themesShown(format.whole(reply.themes.length))}
    listed={themesOf(reply)}
    other={other && themesOf(other)}
    idOf={({ id }) => id}
  >
    {(theme) => (
      <>
        <Colors theme={theme} />
        <Named
          name={theme.displayName}
          detail={[theme.primaryColor, theme.secondaryColor, theme.accentColor].filter((color) => color !== null).join(', ')}
        />
        {theme.isDefault && <Badge tone="brand">{texts.isDefault}</Badge>}
        {!theme.isActive && <Badge>{texts.inactive}</Badge>}
      </>
    )}
  </AsOfList>
);

const Members = ({ reply, other }: MomentProps) => (
  <AsOfList
    title={texts.membersThen(format.whole(reply.memberCount))}
    none={texts.noMembersThen}
    incomplete={texts.membersShown(format.whole(reply.members.length))}
    listed={membersOf(reply)}
    other={other && membersOf(other)}
    idOf={({ userId }) => userId}
  >
    {({ name, email, role, status }) => (
      <>
        <Named name={name} detail={email} />
        <Badge>{role}</Badge>
        <StatusBadge status={status} />
      </>
    )}
  </AsOfList>
);

/** The service integrator at one moment: account, brand, sign-in policy, custom themes and named users. */
const Moment = ({ reply, other }: MomentProps) => {
  const { serviceIntegrator: account, policy } = reply;
  return (
    <MomentCard reply={reply}>
      <Facts>
        <FieldFact field="companyName">{account.companyName}</FieldFact>
        <FieldFact field="contactEmail">{account.contactEmail}</FieldFact>
        <FieldFact field="billingEmail">{account.billingEmail}</FieldFact>
        <Fact label={names.status}>
          <StatusBadge status={account.status} />
        </Fact>
        <Fact label={names.masterLicenseKey}>
          <code className="mono">{account.masterLicenseKey}</code>
        </Fact>
        <Fact label={names.customers}>{format.whole(account.customerCount)}</Fact>
        <FieldFact field="whiteLabelEnabled">
          <StatusBadge status={account.whiteLabelEnabled ? 'enabled' : 'disabled'} />
        </FieldFact>
        <FieldFact field="customDomain">{account.customDomain ?? historyTexts.nothing}</FieldFact>
        <FieldFact field="logoUrl">{account.logoUrl ?? historyTexts.nothing}</FieldFact>
        <FieldFact field="keySignIn">{valueNames.keySignIn?.[policy.keySignIn]}</FieldFact>
        <FieldFact field="secondFactorRequired">{policy.secondFactorRequired ? historyTexts.yes : historyTexts.no}</FieldFact>
      </Facts>
      <Themes reply={reply} other={other} />
      <Members reply={reply} other={other} />
    </MomentCard>
  );
};

/** The service integrator at a time, its differences from now or from another time, and the other time beside it. */
export const AsOfIntegrator = ({ source, at, other }: MomentsProps) => {
  const query = useQuery(integratorAsOfQuery(source, at, other));
  const beside = useQuery({ ...integratorAsOfQuery(source, other ?? at, at), enabled: other !== null });
  return (
    <Moments kind="integrator" query={query} beside={other === null ? null : beside}>
      {(reply, second) => <Moment reply={reply} other={second} />}
    </Moments>
  );
};
