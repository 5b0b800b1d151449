import { Flex } from '@chakra-ui/react';
import type { Plan } from '../../../../../src/contracts/plans.ts';
import { UNLIMITED_SEATS } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { FigureLink } from '../../../session/permissions.tsx';
import { Badge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { Pencil, Trash2 } from '../../../ui/icons.ts';
import { planTexts as texts } from '../texts.ts';

const { columns: headers } = texts;

const EditPlanModal = lazyDialog(async () => (await import('./PlanModals.tsx')).EditPlanModal);
const RetirePlanDialog = lazyDialog(async () => (await import('./RetirePlanDialog.tsx')).RetirePlanDialog);

const Name = ({ code, name, isBuiltIn, retiredAt }: Plan) => (
  <Flex align="center" gap="2" wrap="wrap">
    <code className="mono">{code}</code>
    <span>{name}</span>
    {isBuiltIn && <Badge tone="brand">{texts.builtIn}</Badge>}
    {retiredAt !== null && <Badge tone="gray">{texts.retired}</Badge>}
  </Flex>
);

const Actions = ({ plan }: { plan: Plan }) => {
  const edit = useDialog();
  const retire = useDialog();
  if (plan.isBuiltIn || plan.retiredAt !== null) return null;
  return (
    <Flex gap="2" wrap={{ base: 'wrap', xl: 'nowrap' }} justify="flex-end">
      <ItemAction label={texts.edit} name={texts.editOf(plan.name)} icon={Pencil} onPress={edit.open} opens={EditPlanModal} />
      <ItemAction
        label={texts.retire}
        name={texts.retireOf(plan.name)}
        icon={Trash2}
        onPress={retire.open}
        opens={RetirePlanDialog}
        isDestructive
      />
      <EditPlanModal dialog={edit} plan={plan} />
      <RetirePlanDialog dialog={retire} plan={plan} />
    </Flex>
  );
};

/** The number of licenses, as a link to their customers. */
const Licenses = ({ code, licenses }: Plan) => (
  <FigureLink needs="customers:read" to={`/admin/customers?plan=${code}`} label={texts.licenses(licenses)}>
    {format.whole(licenses)}
  </FigureLink>
);

export const planKey = ({ code }: Plan): string => code;

/** Days of an average month, which order terms in months among those in days. */
const MONTH_DAYS = 365 / 12;
const daysOf = ({ termMonths, termDays }: Plan): number | null => (termMonths === null ? termDays : termMonths * MONTH_DAYS);

/** The order of a number without which there is no limit. */
const limitOf = (limit: number | null): number => (limit === null || limit === UNLIMITED_SEATS ? Number.POSITIVE_INFINITY : limit);

/** The columns for plans, and their rows where the screen is too narrow for a table. */
export const planRows = (mayWrite: boolean) => {
  const columns: readonly Column<Plan>[] = [
    { header: headers.plan, sort: 'code', by: ({ code }) => code, cell: Name },
    {
      header: headers.seats,
      tone: 'muted',
      sort: 'seats',
      by: ({ developerSeats }) => limitOf(developerSeats),
      isDescendingFirst: true,
      cell: texts.seatsOf,
    },
    {
      header: headers.term,
      tone: 'muted',
      sort: 'term',
      by: (plan) => limitOf(daysOf(plan)),
      isDescendingFirst: true,
      cell: texts.termOf,
    },
    { header: headers.includes, tone: 'muted', cell: texts.includesOf },
    {
      header: headers.callQuota,
      tone: 'muted',
      isExtra: true,
      sort: 'quota',
      by: ({ callQuota }) => limitOf(callQuota?.limit ?? null),
      isDescendingFirst: true,
      cell: texts.quotaOf,
    },
    { header: headers.offline, tone: 'muted', isExtra: true, cell: texts.offlineOf },
    {
      header: headers.licenses,
      tone: 'muted',
      align: 'end',
      sort: 'licenses',
      by: ({ licenses }) => licenses,
      isDescendingFirst: true,
      cell: Licenses,
    },
    ...(mayWrite
      ? [{ header: headers.actions, isHeaderHidden: true, align: 'end', cell: (plan: Plan) => <Actions plan={plan} /> } as const]
      : []),
  ];
  const item = (plan: Plan) => (
    <>
      <Name {...plan} />
      <div className="caption">{texts.seatsOf(plan)}</div>
      <div className="caption">
        {texts.termOf(plan)}, {texts.licenses(plan.licenses)}
      </div>
      <div className="caption">
        {texts.columns.includes}: {texts.includesOf(plan)}
      </div>
      <div className="caption">
        {texts.columns.callQuota}: {texts.quotaOf(plan)}
      </div>
      <div className="caption">
        {texts.columns.offline}: {texts.offlineOf(plan)}
      </div>
      {mayWrite && <Actions plan={plan} />}
    </>
  );
  return { columns, item };
};
