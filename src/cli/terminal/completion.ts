import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

type Word = Readonly<{ word: string; about: string }>;
/** A flag that takes a value, with the values it takes where they are few. */
type Valued = Readonly<{ flag: string; choices: readonly string[] }>;
/** A command with what may follow it; the program itself has an empty path. */
type Place = Readonly<{ path: string; words: readonly Word[]; flags: readonly Word[]; valued: readonly Valued[] }>;

const PROFILE_NAMES = 'latchkey profiles list --quiet 2>/dev/null';
const TAKES_PROFILE = ['profiles use', 'profiles remove'];

const aboutOf = (text: string): string => text.split('\n')[0]?.replaceAll("'", '’') ?? '';

const flagOf = ({ long, description }: Option): Word => ({ word: long ?? '', about: aboutOf(description) });

/** Options of the program may stand anywhere, so every command has them. */
const placesOf = (program: Command): Place[] => {
  const visit = (command: Command, path: string): Place[] => {
    const options = command === program ? program.options : [...command.options, ...program.options];
    const place: Place = {
      path,
      words: [
        ...command.commands.map((child) => ({ word: child.name(), about: aboutOf(child.summary() || child.description()) })),
        ...command.registeredArguments.flatMap(({ argChoices }) => (argChoices ?? []).map((word) => ({ word, about: word }))),
      ],
      flags: [...options.map(flagOf), { word: '--help', about: 'show help' }],
      valued: options
        .filter(({ required }) => required)
        .map(({ long, argChoices }) => ({ flag: long ?? '', choices: argChoices ?? [] })),
    };
    return [place, ...command.commands.flatMap((child) => visit(child, `${path} ${child.name()}`.trim()))];
  };
  return visit(program, '');
};

const quotedPaths = (places: readonly Place[]): string[] => places.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));

/** The distinct flags with values of all places. */
const valuedOf = (places: readonly Place[]): Valued[] => [
  ...new Map(places.flatMap(({ valued }) => valued.map((value) => [value.flag, value] as const))).values(),
];

const bash = (places: readonly Place[]): string => {
  const values = valuedOf(places).map(({ flag, choices }) => {
    const list = flag === '--profile' ? `"$(${PROFILE_NAMES})"` : `'${choices.join(' ')}'`;
    return `    ${flag}) COMPREPLY=($(compgen -W ${list} -- "$current")); return ;;`;
  });
  const suggestions = places.map(({ path, words, flags }) => {
    const names = TAKES_PROFILE.includes(path) ? ` $(${PROFILE_NAMES})` : '';
    return `    '${path}') suggestions="${[...words, ...flags].map(({ word }) => word).join(' ')}${names}" ;;`;
  });
  return `# Load with: eval "$(latchkey completion bash)"
_latchkey() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' suggestions='' index
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${place:+$place }\${COMP_WORDS[index]}" in
      ${quotedPaths(places).join('|')}) place="\${place:+$place }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$place" in
${suggestions.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$suggestions" -- "$current"))
}
complete -o default -F _latchkey latchkey
`;
};

const zsh = (places: readonly Place[]): string => {
  const values = valuedOf(places).map(({ flag, choices }) => {
    const list = flag === '--profile' ? `\${(f)"$(${PROFILE_NAMES})"}` : choices.join(' ');
    return `    ${flag}) ${list === '' ? '_default' : `compadd -- ${list}`}; return ;;`;
  });
  const suggestions = places.map(({ path, words, flags }) => {
    const entries = [...words, ...flags].map(({ word, about }) => `'${word}:${about.replaceAll(':', '\\:')}'`);
    const names = TAKES_PROFILE.includes(path) ? ` \${(f)"$(${PROFILE_NAMES})"}` : '';
    return `    '${path}') suggestions=(${entries.join(' ')}${names}) ;;`;
  });
  return `#compdef latchkey
# Load with: source <(latchkey completion zsh)
_latchkey() {
  local place='' word
  local -a suggestions
  case "\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
      ${quotedPaths(places).join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${suggestions.join('\n')}
  esac
  _describe -t latchkey 'latchkey' suggestions
}
compdef _latchkey latchkey
`;
};

const fish = (places: readonly Place[]): string => {
  const lines = places.flatMap(({ path, words, flags, valued }) => {
    const at = `complete -c latchkey -n '__latchkey_at "${path}"'`;
    return [
      ...words.map(({ word, about }) => `${at} -a ${word} -d '${about}'`),
      ...flags.map(({ word, about }) => {
        const takes = valued.find(({ flag }) => flag === word);
        const choices = word === '--profile' ? `(${PROFILE_NAMES})` : (takes?.choices ?? []).join(' ');
        const value = takes === undefined ? '' : ` -x${choices === '' ? '' : ` -a '${choices}'`}`;
        return `${at} -l ${word.slice(2)}${value} -d '${about}'`;
      }),
      ...(TAKES_PROFILE.includes(path) ? [`${at} -a '(${PROFILE_NAMES})'`] : []),
    ];
  });
  return `# Load with: latchkey completion fish | source
function __latchkey_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$place $word")
        if contains -- "$next" ${quotedPaths(places).join(' ')}
            set place "$next"
        end
    end
    test "$place" = "$argv[1]"
end
complete -c latchkey -f
${lines.join('\n')}
`;
};

const scripts: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };

/** A script that makes a shell complete the commands, options and values of a program. */
export const completionScript = (program: Command, shell: Shell): string => scripts[shell](placesOf(program));
