import type { Command } from 'commander';
import {
  type Machine,
  type MachineRequest,
  type MachinesReply,
  machineName,
  type ValidOfflineLicense,
} from '../../contracts/machines.ts';
import { dayOf } from '../../domain/time.ts';
import type { Api } from '../api/api.ts';
import { type Context, requestSignedIn } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Answer, failed, misused } from '../failure.ts';
import { addHelp } from '../terminal/help.ts';
import type { Output } from '../terminal/output.ts';
import { duration, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';

const SHORT_ID = 8;

const nameOf = ({ name, machineId }: { name: string | null; machineId: string }): string => plain(name ?? machineId);

/** The text of `latchkey connect` for a machine that requests approval. */
export const describeRequest = (output: Output, request: MachineRequest): string[] => {
  const paint = output.out();
  return [
    `${paint.bad('●')} ${paint.title(nameOf(request))} asks to sign in as ${plain(request.username)}: code ${paint.title(request.code)}`,
    `  If it shows the same code: latchkey devices approve ${request.code}; otherwise: latchkey devices deny ${request.code}`,
  ];
};

/** As in `2026-01-31 12:00 UTC`: uses are written about once a minute. */
const minuteOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

const describeMachine = (output: Output, machine: Machine): string => {
  const { id, system, approvedAt, lastSeenAt, current } = machine;
  const seen = lastSeenAt === null ? null : `last seen ${minuteOf(lastSeenAt)}`;
  const facts = [system, `since ${dayOf(approvedAt)}`, seen].filter((fact) => fact !== null);
  const about = output.out().dim(facts.map((fact) => `, ${plain(fact)}`).join(''));
  return `  ${id.slice(0, SHORT_ID)}  ${nameOf(machine)}${about}${current ? ' (this machine)' : ''}`;
};

const describeOfflineLicense = (output: Output, { fingerprint, machineName, expiresAt }: ValidOfflineLicense): string =>
  `  ${fingerprint.slice(0, SHORT_ID)}  ${plain(machineName ?? 'unnamed')}${output.out().dim(`, valid until ${minuteOf(expiresAt)}`)}`;

const show = ({ output, io }: Context, { machines, requests, offlineLicenses = [] }: MachinesReply): void =>
  output.result({ machines, requests, offlineLicenses }, () => {
    const paint = output.out();
    return [
      paint.title('Your approved machines'),
      ...machines.map((machine) => describeMachine(output, machine)),
      ...(requests.length === 0
        ? []
        : [
            paint.title('Waiting for your approval'),
            ...requests.map(
              (request) =>
                `  ${request.code}  ${nameOf(request)}${paint.dim(`, requested ${duration(Math.max(1_000, io.now() - Date.parse(request.requestedAt)))} ago`)}`,
            ),
            'Approve a code only if the other machine shows it: latchkey devices approve CODE',
          ]),
      ...(offlineLicenses.length === 0
        ? []
        : [paint.title('Offline licenses'), ...offlineLicenses.map((license) => describeOfflineLicense(output, license))]),
    ];
  });

type MachinesRequest = (api: Api) => Promise<Answer<MachinesReply>>;

/** Sends a request as the signed-in user, and prints the resulting list of machines. */
const requestMachines = async (context: Context, request: MachinesRequest): Promise<ExitCode> => {
  const answer = await requestSignedIn(context, request);
  if (!answer.ok) return context.output.fail(answer.failure);
  show(context, answer.value.reply);
  return EXIT.done;
};

const list = (context: Context): Promise<ExitCode> => requestMachines(context, (api) => api.machines());

/** The least number of characters that name a machine: fewer can name the wrong one by mistake. */
const SHORTEST_PREFIX = 4;
const SEE_LIST = { hint: 'See: latchkey devices' };

/** Finds the only item that `given` names. */
const findOne = <Item>(items: readonly Item[], named: (item: Item) => boolean, what: string, given: string): Answer<Item> => {
  const found = items.filter(named);
  const [one] = found;
  if (one && found.length === 1) return { ok: true, value: one };
  return {
    ok: false,
    failure: one
      ? failed('ambiguous', `'${plain(given)}' matches more than one ${what}`, SEE_LIST)
      : failed('unknown_id', `There is no ${what} '${plain(given)}'`, SEE_LIST),
  };
};

/** Decides the request with a code or an id. Both must be complete, because the user compares them with those of the machine. */
const decide =
  (decision: 'approveMachine' | 'rejectMachine') =>
  async (context: Context, command: Command): Promise<ExitCode> => {
    const given = (command.args[0] ?? '').trim();
    if (given === '') return context.output.fail(misused('The code of the request is empty', SEE_LIST));
    const named = ({ id, code }: MachineRequest) => [id, code.toLowerCase()].includes(given.toLowerCase());
    return requestMachines(context, async (api) => {
      const known = await api.machines();
      if (!known.ok) return known;
      const request = findOne(known.value.requests, named, 'request', given);
      return request.ok ? api[decision](request.value.id) : request;
    });
  };

type MachineChange = (api: Api, machineId: string) => Promise<Answer<MachinesReply>>;

/** Changes the machine that the first argument names by its id, or by the first characters of it. */
const changeMachine = async (context: Context, command: Command, change: MachineChange): Promise<ExitCode> => {
  const given = (command.args[0] ?? '').trim();
  if (given.length < SHORTEST_PREFIX) {
    return context.output.fail(misused(`Name the machine by at least ${SHORTEST_PREFIX} characters of its ID`, SEE_LIST));
  }
  return requestMachines(context, async (api) => {
    const known = await api.machines();
    if (!known.ok) return known;
    const named = ({ id }: Machine) => id.startsWith(given.toLowerCase());
    const machine = findOne(known.value.machines, named, 'machine', given);
    return machine.ok ? change(api, machine.value.id) : machine;
  });
};

const remove = (context: Context, command: Command): Promise<ExitCode> =>
  changeMachine(context, command, (api, id) => api.removeMachine(id));

const rename = async (context: Context, command: Command): Promise<ExitCode> => {
  const name = machineName.safeParse(command.args[1]);
  if (!name.success) return context.output.fail(misused(`name: ${name.error.issues[0]?.message ?? 'not a valid name'}`));
  return changeMachine(context, command, (api, id) => api.renameMachine(id, name.data));
};

const EXITS = {
  done: 'done; the current list is shown',
  failed: 'failed, or there is no such machine or request',
  notSignedIn: 'not signed in',
  refused: 'refused: suspended, your role has no access, or this machine is not approved',
  unreachable: 'server unreachable',
} as const;

/** Declares `latchkey devices`: the user's machines, and requests for approval. */
export const declareDevices = (program: Command, bind: Bind): void => {
  const environment = environmentOf(['LATCHKEY_PROFILE'], { network: true });
  const devices = program
    .command('devices')
    .helpGroup(GROUPS.signIn)
    .summary('list and approve the machines that sign in as you')
    .description(
      'A machine that you approved by the code of latchkey login is listed here. With a license key, your first machine is approved automatically, and every other machine needs your approval: it shows a code, and so does this command. Approve it only if the codes match.',
    );
  addHelp(devices, {
    examples: [
      ['latchkey devices', 'your machines and pending requests'],
      ['latchkey devices approve 7F3K-9Q2M', 'the machine that shows this code'],
      ['latchkey devices revoke 1f3a90c2', 'a lost machine; its sessions end'],
    ],
    exits: EXITS,
    environment,
  });
  const listed = devices
    .command('list', { isDefault: true })
    .summary('list your machines and requests')
    .description('List your approved machines and the machines waiting for approval.')
    .action(bind(list));
  addHelp(listed, {
    examples: [
      ['latchkey devices list', 'machines with their IDs, requests with their codes'],
      ['latchkey devices list --json', 'as JSON'],
    ],
    exits: EXITS,
  });
  const approve = devices
    .command('approve')
    .summary('let a machine sign in as you')
    .description('Approve a waiting machine. First compare the code with the one that the machine shows.')
    .argument('<code>', 'complete code or ID of the request')
    .action(bind(decide('approveMachine')));
  addHelp(approve, { examples: [['latchkey devices approve 7F3K-9Q2M', 'its sign-in continues automatically']], exits: EXITS });
  const deny = devices
    .command('deny')
    .summary('reject a machine')
    .description('Reject a waiting machine. It cannot request approval again for 24 hours.')
    .argument('<code>', 'complete code or ID of the request')
    .action(bind(decide('rejectMachine')));
  addHelp(deny, { examples: [['latchkey devices deny 7F3K-9Q2M', 'for a code you do not recognize']], exits: EXITS });
  const renamed = devices
    .command('rename')
    .summary('rename a machine')
    .description('Give a machine another name, which this list and the console show.')
    .argument('<id>', 'ID of the machine, or at least its first 4 characters')
    .argument('<name>', 'the new name, at most 100 characters')
    .action(bind(rename));
  addHelp(renamed, {
    examples: [['latchkey devices rename 1f3a90c2 Desktop', 'with the ID from latchkey devices']],
    exits: EXITS,
  });
  const removed = devices
    .command('revoke')
    .alias('remove')
    .summary('revoke the access of a machine')
    .description('Revoke the access of a machine. Its sessions end, and it needs a new approval to sign in again.')
    .argument('<id>', 'ID of the machine, or at least its first 4 characters')
    .action(bind(remove));
  addHelp(removed, { examples: [['latchkey devices revoke 1f3a90c2', 'with the ID from latchkey devices']], exits: EXITS });
};
