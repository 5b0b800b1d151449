import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

type Word = Readonly<{ word: string; about: string }>;
/** A flag with a value, and its choices if they are limited. */
type Valued = Readonly<{ flag: string; choices: readonly string[] }>;
/** A command and the words that can follow it. The path of the program is empty. */
type CommandNode = Readonly<{
  path: string;
  words: readonly Word[];
  flags: readonly Word[];
  valued: readonly Valued[];
  takesProfile: boolean;
}>;
/** The commands of a program. `id` is its name in a form that is valid in names of shell functions. */
type CommandTree = Readonly<{ name: string; id: string; nodes: readonly CommandNode[]; valued: readonly Valued[] }>;

/** The option and the argument whose values are profile names, which the script requests from the program. */
const PROFILE_FLAG = '--profile';
const PROFILE_ARGUMENT = 'profile';
const PROFILE_NAMES = 'latchkey profiles list --quiet 2>/dev/null';

const aboutOf = (text: string): string => text.split('\n')[0]?.replaceAll("'", '’') ?? '';

const flagOf = ({ long, description }: Option): Word => ({ word: long ?? '', about: aboutOf(description) });

/** All commands of a program. The program's options are valid at any position, so each command includes them. */
const nodesOf = (program: Command): CommandNode[] => {
  const visit = (command: Command, path: string): CommandNode[] => {
    const options = command === program ? program.options : [...command.options, ...program.options];
    const node: CommandNode = {
      path,
      words: [
        // Includes `help`, which is not in `command.commands`.
        ...command
          .createHelp()
          .visibleCommands(command)
          .map((child) => ({ word: child.name(), about: aboutOf(child.summary() || child.description()) })),
        ...command.registeredArguments.flatMap(({ argChoices }) => (argChoices ?? []).map((word) => ({ word, about: word }))),
      ],
      flags: [...options.map(flagOf), { word: '--help', about: 'show help' }],
      valued: options
        .filter(({ required }) => required)
        .map(({ long, argChoices }) => ({ flag: long ?? '', choices: argChoices ?? [] })),
      takesProfile: command.registeredArguments.some((argument) => argument.name() === PROFILE_ARGUMENT),
    };
    return [node, ...command.commands.flatMap((child) => visit(child, `${path} ${child.name()}`.trim()))];
  };
  return visit(program, '');
};

/** The distinct flags with values of all commands. */
const valuedOf = (nodes: readonly CommandNode[]): Valued[] => [
  ...new Map(nodes.flatMap(({ valued }) => valued.map((value) => [value.flag, value] as const))).values(),
];

/** The paths as patterns of a shell's `case`, which requires at least one. */
const pathPatterns = ({ nodes }: CommandTree): string =>
  nodes.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|') || "''";
/** The flags with values as patterns of a shell's `case`. */
const valuedPatterns = ({ valued }: CommandTree): string => valued.map(({ flag }) => flag).join('|') || "''";
const listed = (words: readonly Word[]): string => words.map(({ word }) => word).join(' ');

const bash = (tree: CommandTree): string => {
  const { name, id, nodes, valued } = tree;
  const values = valued.map(({ flag, choices }) => {
    const list = flag === PROFILE_FLAG ? `"$(${PROFILE_NAMES})"` : `'${choices.join(' ')}'`;
    return `    ${flag}) COMPREPLY=($(compgen -W ${list} -- "$current")); return ;;`;
  });
  const suggestions = nodes.map(
    ({ path, words, flags, takesProfile }) =>
      `    '${path}') words="${listed(words)}${takesProfile ? ` $(${PROFILE_NAMES})` : ''}"; flags='${listed(flags)}' ;;`,
  );
  return `# Load with: eval "$(${name} completion bash)"
_${id}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place='' words='' flags='' index
  # Bash takes --flag=value apart at the sign.
  if [[ $current == = ]]; then current=''; elif [[ $previous == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$previous" in
${values.join('\n')}
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${valuedPatterns(tree)}) ((index++)); [[ \${COMP_WORDS[index]} == = ]] && ((index++)); continue ;;
    esac
    case "\${place:+$place }\${COMP_WORDS[index]}" in
      ${pathPatterns(tree)}) place="\${place:+$place }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$place" in
${suggestions.join('\n')}
  esac
  if [[ $current == -* || -z $words ]]; then words="$flags"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${id} ${name}
`;
};

const zsh = (tree: CommandTree): string => {
  const { name, id, nodes, valued } = tree;
  const described = (entries: readonly Word[]) =>
    entries.map(({ word, about }) => `'${word}:${about.replaceAll(':', '\\:')}'`).join(' ');
  const values = valued.map(({ flag, choices }) => {
    const list = flag === PROFILE_FLAG ? `\${(f)"$(${PROFILE_NAMES})"}` : choices.join(' ');
    return `    ${flag}) ${list === '' ? '' : `compadd -- ${list}; `}return ;;`;
  });
  const suggestions = nodes.map(
    ({ path, words, flags, takesProfile }) =>
      `    '${path}') subcommands=(${described(words)}${takesProfile ? ` \${(f)"$(${PROFILE_NAMES})"}` : ''}); flags=(${described(flags)}) ;;`,
  );
  return `#compdef ${name}
# Load after compinit with: source <(${name} completion zsh)
_${id}() {
  local place='' previous="\${words[CURRENT-1]}" index
  local -a subcommands flags
  # What stands behind the sign of --flag=value is completed alone.
  if compset -P '--*='; then previous="\${IPREFIX%=}"; fi
  case "$previous" in
${values.join('\n')}
  esac
  for ((index = 2; index < CURRENT; index++)); do
    case "\${words[index]}" in
      ${valuedPatterns(tree)}) ((index++)); continue ;;
    esac
    case "\${place:+$place }\${words[index]}" in
      ${pathPatterns(tree)}) place="\${place:+$place }\${words[index]}" ;;
    esac
  done
  case "$place" in
${suggestions.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* || \${#subcommands} -eq 0 ]]; then
    _describe -o 'option' flags
  else
    _describe 'command' subcommands
  fi
}
# Zsh runs a file of its function path as the function itself; read by source it only makes the function known.
if [[ "\${funcstack[1]}" == '_${id}' ]]; then _${id} "$@"; else compdef _${id} ${name}; fi
`;
};

const fish = ({ name, id, nodes, valued: allValued }: CommandTree): string => {
  const lines = nodes.flatMap(({ path, words, flags, valued, takesProfile }) => {
    const at = `complete -c ${name} -n '__${id}_at "${path}"'`;
    return [
      ...words.map(({ word, about }) => `${at} -a ${word} -d '${about}'`),
      ...flags.map(({ word, about }) => {
        const takes = valued.find(({ flag }) => flag === word);
        const choices = word === PROFILE_FLAG ? `(${PROFILE_NAMES})` : (takes?.choices ?? []).join(' ');
        const value = takes === undefined ? '' : ` -x${choices === '' ? '' : ` -a '${choices}'`}`;
        return `${at} -l ${word.slice(2)}${value} -d '${about}'`;
      }),
      ...(takesProfile ? [`${at} -a '(${PROFILE_NAMES})'`] : []),
    ];
  });
  const paths = nodes.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join(' ');
  return `# Load with: ${name} completion fish | source
function __${id}_at
    set -l place ''
    set -l value no
    set -l typed (commandline -opc)
    set -e typed[1]
    for word in $typed
        if test $value = yes
            set value no
            continue
        end
        if contains -- $word ${allValued.map(({ flag }) => flag).join(' ') || "''"}
            set value yes
            continue
        end
        set -l next (string trim -- "$place $word")
        if contains -- "$next" ${paths}
            set place "$next"
        end
    end
    test "$place" = "$argv[1]"
end
complete -c ${name} -f
${lines.join('\n')}
`;
};

const scripts: Readonly<Record<Shell, (tree: CommandTree) => string>> = { bash, zsh, fish };

/** The completion script of a program for a shell. */
export const completionScript = (program: Command, shell: Shell): string => {
  const name = program.name();
  const nodes = nodesOf(program);
  return scripts[shell]({ name, id: name.replaceAll('-', '_'), nodes, valued: valuedOf(nodes) });
};
