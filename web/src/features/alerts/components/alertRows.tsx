import { Flex } from '@chakra-ui/react';
import type { Alert, AlertRule } from '../../../../../src/contracts/alerts.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { Pencil, Trash2 } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { Time } from '../../../ui/Time.tsx';
import { alertTexts as texts } from '../texts.ts';
import { alertAddress } from './alertAddress.ts';

const { columns: headers, alertColumns } = texts;

const EditRuleModal = lazyDialog(async () => (await import('./RuleModals.tsx')).EditRuleModal);
const RemoveRuleDialog = lazyDialog(async () => (await import('./RemoveRuleDialog.tsx')).RemoveRuleDialog);

const Name = ({ name }: { name: string }) => <span>{name}</span>;

const State = ({ firingSince }: AlertRule) =>
  firingSince === null ? (
    <div>
      <StatusBadge status="healthy">{texts.quiet}</StatusBadge>
    </div>
  ) : (
    <div>
      <StatusBadge status="critical">{texts.firing}</StatusBadge>
      <div className="caption">
        {texts.since} <Time at={firingSince} />
      </div>
    </div>
  );

const Actions = ({ rule }: { rule: AlertRule }) => {
  const edit = useDialog();
  const remove = useDialog();
  return (
    <Flex gap="2" wrap="wrap" justify="flex-end">
      <ItemAction label={texts.edit} name={texts.editOf(rule.name)} icon={Pencil} onPress={edit.open} opens={EditRuleModal} />
      <ItemAction
        label={texts.remove}
        name={texts.removeOf(rule.name)}
        icon={Trash2}
        onPress={remove.open}
        opens={RemoveRuleDialog}
        isDestructive
      />
      <EditRuleModal dialog={edit} rule={rule} />
      <RemoveRuleDialog dialog={remove} rule={rule} />
    </Flex>
  );
};

export const ruleKey = ({ ruleId }: AlertRule): string => ruleId;

/** The columns for alert rules, and their rows where the screen is too narrow for a table. */
export const ruleRows = (mayWrite: boolean) => {
  const columns: readonly Column<AlertRule>[] = [
    { header: headers.name, sort: 'name', by: ({ name }) => name, cell: Name },
    { header: headers.condition, tone: 'muted', cell: (rule) => <div className="wrap">{texts.condition(rule)}</div> },
    { header: headers.state, sort: 'firing', by: ({ firingSince }) => firingSince, isDescendingFirst: true, cell: State },
    ...(mayWrite
      ? [
          {
            header: headers.actions,
            isHeaderHidden: true,
            align: 'end',
            cell: (rule: AlertRule) => <Actions rule={rule} />,
          } as const,
        ]
      : []),
  ];
  const item = (rule: AlertRule) => (
    <>
      <Name {...rule} />
      <div className="caption">{texts.condition(rule)}</div>
      <State {...rule} />
      {mayWrite && <Actions rule={rule} />}
    </>
  );
  return { columns, item };
};

/** What an alert is about: a link to the customer, else to the screen with what was measured. */
const What = (alert: Alert) => {
  const { name, customer, checks } = alert;
  return (
    <>
      {customer ? (
        <Name name={name} />
      ) : (
        <Link to={alertAddress(alert)} className="text-link">
          {name}
        </Link>
      )}
      {customer && (
        <div className="caption">
          {customer.name === null ? texts.deleted : <Link to={`/admin/customers/${customer.id}`}>{customer.name}</Link>}
        </div>
      )}
      {checks.length > 0 && <div className="caption">{checks.join(', ')}</div>}
    </>
  );
};

const Resolved = ({ resolvedAt, reason }: Alert) =>
  resolvedAt === null ? (
    <div>
      <StatusBadge status="critical">{texts.firing}</StatusBadge>
    </div>
  ) : (
    <>
      <Time at={resolvedAt} />
      {reason && <div className="caption">{texts.reasons[reason]}</div>}
    </>
  );

const Fired = ({ firedAt }: Alert) => <Time at={firedAt} />;

export const alertKey = ({ alertId }: Alert): string => alertId;

/** Alerts that are not resolved come after all others in time. */
const resolvedOrder = ({ resolvedAt }: Alert): number => (resolvedAt === null ? Number.POSITIVE_INFINITY : Date.parse(resolvedAt));

/** The columns for alerts. Values are not sorted, because those of several metrics have no order. */
export const alertColumnsOf: readonly Column<Alert>[] = [
  { header: alertColumns.alert, sort: 'alert', by: ({ name }) => name, cell: What },
  { header: alertColumns.value, tone: 'muted', cell: texts.value },
  {
    header: alertColumns.fired,
    tone: 'muted',
    sort: 'fired',
    by: ({ firedAt }) => Date.parse(firedAt),
    isDescendingFirst: true,
    cell: Fired,
  },
  { header: alertColumns.resolved, sort: 'resolved', by: resolvedOrder, isDescendingFirst: true, cell: Resolved },
];

/** An alert where the screen is too narrow for a table. */
export const alertItem = (alert: Alert) => (
  <>
    <What {...alert} />
    <div className="caption">
      {texts.value(alert)}, <Fired {...alert} />
    </div>
    <Resolved {...alert} />
  </>
);
