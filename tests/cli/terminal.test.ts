import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contrastOf, type Ground, groundOf, type Rgb } from '../../src/cli/terminal/contrast.ts';
import { colorDepthOf, paintOf } from '../../src/cli/terminal/paint.ts';
import { duration, jsonLine, plain } from '../../src/cli/terminal/text.ts';
import { type CliServer, KEY, problemOf, startCliServer, THEME } from '../support/cliServer.ts';
import { type CliUser, createCliUser } from '../support/cliUser.ts';

const terminal = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

describe('colors', () => {
  it('are used on terminals, at their depth, unless they are disabled', () => {
    const depth = (env: Record<string, string>, tty = true, wanted = true) => colorDepthOf(terminal(tty), env, wanted);
    expect(depth({ TERM: 'xterm-256color', COLORTERM: 'truecolor' })).toBe(24);
    expect(depth({ TERM: 'xterm-256color' })).toBe(8);
    expect(depth({ TERM: 'xterm' })).toBe(4);
    expect(depth({ TERM: 'dumb' })).toBe(1);
    expect(depth({ TERM: 'xterm-256color', NO_COLOR: '1' })).toBe(1);
    expect(depth({ TERM: 'xterm-256color', NO_COLOR: '' })).toBe(8);
    expect(depth({ TERM: 'xterm-256color' }, false)).toBe(1);
    expect(depth({ TERM: 'xterm-256color' }, true, false)).toBe(1);
    expect(depth({ FORCE_COLOR: '3' }, false)).toBe(24);
  });

  it("are the customer's, or the nearest ones of the terminal", () => {
    expect(paintOf(24, THEME).swatch('#0070AD')).toBe('\u001b[38;2;0;112;173m██\u001b[0m');
    expect(paintOf(8, THEME).swatch('#0070AD')).toBe('\u001b[38;5;25m██\u001b[0m');
    expect(paintOf(4, THEME).title('Acme')).toBe('\u001b[1;96mAcme\u001b[0m');
    expect(paintOf(4, THEME, 'light').title('Acme')).toBe('\u001b[1;36mAcme\u001b[0m');
    expect(paintOf(1, THEME).title('Acme')).toBe('Acme');
    expect(paintOf(24, null).title('Acme')).toBe('\u001b[1mAcme\u001b[0m');
    const colors = { ...THEME.colors, primary: '31m\u001b[2J' };
    expect(paintOf(24, { ...THEME, colors }).title('Acme')).toBe('\u001b[1mAcme\u001b[0m');
  });

  const grounds = {
    dark: [
      [11, 16, 22],
      [30, 30, 30],
      [40, 42, 54],
      [0, 43, 54],
      [48, 10, 36],
    ],
    light: [
      [255, 255, 255],
      [253, 246, 227],
      [250, 250, 250],
    ],
    unknown: [
      [0, 0, 0],
      [255, 255, 255],
    ],
  } as const satisfies Record<Ground, readonly Rgb[]>;
  const cube = (index: number): number => (index === 0 ? 0 : 55 + index * 40);

  /** The color of a text, from its escape sequence. */
  const colorIn = (text: string): Rgb => {
    const [, red, green, blue] = /38;2;(\d+);(\d+);(\d+)/.exec(text) ?? [];
    if (red !== undefined) return [Number(red), Number(green), Number(blue)];
    const at = Number(/38;5;(\d+)/.exec(text)?.[1]) - 16;
    const grey = 8 + (at - 216) * 10;
    return at < 216 ? [cube(Math.floor(at / 36)), cube(Math.floor(at / 6) % 6), cube(at % 6)] : [grey, grey, grey];
  };

  it.each(['dark', 'light', 'unknown'] as const)('are readable on a %s background', (ground) => {
    const named = ['#0070AD', '#00CFFF', '#FFB81C', '#000000', '#FFFFFF', '#808080', '#FF0000', '#00FF00', '#0000FF', '#123456'];
    for (const depth of [24, 8] as const) {
      for (const primary of named) {
        const color = colorIn(paintOf(depth, { ...THEME, colors: { ...THEME.colors, primary } }, ground).title('A'));
        for (const background of grounds[ground]) {
          expect([depth, primary, background, contrastOf(color, background) >= 4.5]).toEqual([depth, primary, background, true]);
        }
      }
    }
    const [red, , blue] = colorIn(paintOf(24, THEME, ground).title('A'));
    expect(blue).toBeGreaterThan(red);
  });

  it('take the background from the environment', () => {
    expect(groundOf({})).toBe('unknown');
    expect(groundOf({ COLORFGBG: '15;0' })).toBe('dark');
    expect(groundOf({ COLORFGBG: '0;default;15' })).toBe('light');
    expect(groundOf({ COLORFGBG: '0;default' })).toBe('unknown');
    expect(groundOf({ COLORFGBG: '0;15', LATCHKEY_BACKGROUND: 'dark' })).toBe('dark');
  });

  it('have a nearest color for every corner of the cube and for greys', () => {
    const nearest = (color: string) => /38;5;(\d+)/.exec(paintOf(8, null).swatch(color))?.[1];
    expect(['#000000', '#FFFFFF', '#FF0000', '#00FF00', '#0000FF', '#808080', '#5F87AF'].map(nearest)).toEqual([
      '16',
      '231',
      '196',
      '46',
      '21',
      '244',
      '67',
    ]);
  });
});

describe('untrusted text', () => {
  it('keeps its letters and loses control characters', () => {
    expect(plain('Zoë 👩‍💻 日本')).toBe('Zoë 👩‍💻 日本');
    expect(plain('a\u001b[31mred\u001b[0m\u0007\nb\tc\u009b2Jd\u2028e\u202ef\ud800')).toBe('ared b cd ef');
    expect(plain('\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007')).toBe('click');
  });

  it('is escaped in JSON with the same value', () => {
    const evil = { text: '\u009b2J\u202e\u0007\u2028"' };
    expect(jsonLine(evil)).toBe('{"text":"\\u009b2J\\u202e\\u0007\\u2028\\""}\n');
    expect(JSON.parse(jsonLine(evil))).toEqual(evil);
  });

  it('rounds durations up', () => {
    expect([0, 1, 1_000, 119_000, 120_001, 7_199_000, 7_200_001].map(duration)).toEqual([
      '0 s',
      '1 s',
      '1 s',
      '119 s',
      '3 min',
      '2 h',
      '3 h',
    ]);
  });
});

describe('a user at a terminal', () => {
  let server: CliServer;
  let cliUser: CliUser;

  beforeEach(async () => {
    server = await startCliServer();
    cliUser = await createCliUser();
  });
  afterEach(async () => {
    await cliUser.leave();
    await server.close();
  });

  /** Types an answer after each prompt. */
  const typing = async (
    argv: readonly string[],
    answers: readonly string[],
    { interrupted, env }: { interrupted?: AbortSignal; env?: Readonly<Record<string, string>> } = {},
  ) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const remaining = [...answers];
    const running = cliUser.run(argv, {
      stdin,
      tty: true,
      env: { TERM: 'xterm', USER: 'grace', ...env },
      ...(interrupted && { interrupted }),
      onErr: (text) => {
        if (stripVTControlCharacters(text).endsWith(': ')) stdin.write(remaining.shift() ?? '');
      },
    });
    return running;
  };

  it('is prompted for missing details, with suggestions, and the key is not echoed', async () => {
    const ran = await typing(['login', '--with-key', '--server', server.url], [`${KEY}\r`, '\r', 'grace@example.com\r']);
    expect(ran.code).toBe(0);
    expect(server.logins).toMatchObject([{ licenseKey: KEY, username: 'grace', email: 'grace@example.com' }]);
    expect(ran.err).toContain('License key');
    expect(ran.err).not.toContain(KEY);
    expect(ran.err).toContain('grace@example.com');
    expect(ran.out).toContain('\u001b[1;');
  });

  it('can edit the input', async () => {
    const ran = await typing(
      ['login', '--with-key', '--server', server.url],
      [`X\u007f${KEY}\r`, 'adda\u007f\u007fa\r', 'a@example.com\r'],
    );
    expect(ran.code).toBe(0);
    expect(server.logins).toMatchObject([{ licenseKey: KEY, username: 'ada' }]);
  });

  it('is prompted again after an invalid answer, and keeps previous answers', async () => {
    const answers = ['two words\r', `${server.url}\r`, `${KEY}\r`, '\r', 'grace\r', 'grace@example.com\r'];
    const ran = await typing(['login', '--with-key'], answers);
    expect(ran.code).toBe(0);
    expect(server.logins).toMatchObject([{ licenseKey: KEY, username: 'grace', email: 'grace@example.com' }]);
    expect(ran.err).toContain("'two words' is not a valid server address. Use an address such as https://latchkey.example.com\n");
    expect(ran.err).toContain('Must be an email address\n');
  });

  const WRONG = 'LK-ENT-WRNG-WRNG1';
  const promptsIn = (text: string): string[] => [
    ...new Set(stripVTControlCharacters(text).match(/License key|Not a license key|Unknown license key|Username|Email/g)),
  ];

  it('is prompted for another key before other details if it has no form of a key, or if the server does not know it', async () => {
    const answers = ['LK-ENT-TEST\r', `${WRONG}\r`, `${KEY}\r`, 'ada\r', 'ada@example.com\r'];
    const ran = await typing(['login', '--with-key', '--server', server.url], answers);
    expect(ran.code).toBe(0);
    expect(promptsIn(ran.err)).toEqual(['License key', 'Not a license key', 'Unknown license key', 'Username', 'Email']);
    expect(server.logins).toMatchObject([{ licenseKey: KEY, username: 'ada', email: 'ada@example.com' }]);
  });

  it('is prompted for another key before other details if the given one is wrong', async () => {
    for (const [options, env] of [
      [['--key', WRONG], {}],
      [['--key', 'LK-ENT-TEST'], {}],
      [[], { LATCHKEY_KEY: WRONG }],
    ] as const) {
      const ran = await typing(['login', '--server', server.url, ...options], [`${KEY}\r`, 'ada\r', 'ada@example.com\r'], { env });
      expect(ran.code).toBe(0);
      const said = options[1] === 'LK-ENT-TEST' ? 'Not a license key' : 'Unknown license key';
      expect(promptsIn(ran.err)).toEqual([said, 'License key', 'Username', 'Email']);
      expect(ran.err).not.toContain(KEY);
      expect(server.logins.at(-1)).toMatchObject({ licenseKey: KEY, username: 'ada', email: 'ada@example.com' });
    }
    expect(server.logins).toHaveLength(3);
    const right = await typing(['login', '--server', server.url, '--key', KEY], ['ada\r', 'ada@example.com\r']);
    expect([right.code, promptsIn(right.err)]).toEqual([0, ['Username', 'Email']]);
  });

  it('sees without a terminal that the key is wrong before that a detail is missing', async () => {
    const env = { USER: 'grace', LATCHKEY_KEY: WRONG, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
    for (const details of [[], ['--email', 'ada@example.com']]) {
      const ran = await cliUser.run(['login', '--server', server.url, ...details], { env });
      expect([ran.code, ran.err]).toEqual([3, expect.stringContaining('Unknown license key')]);
      expect(ran.err).toContain('Check the license key.');
    }
    const ran = await cliUser.run(['login', '--server', server.url], { env: { ...env, LATCHKEY_KEY: KEY } });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('Email is missing')]);
  });

  it('sees before other details that the license is suspended or expired', async () => {
    for (const code of ['customer_suspended', 'license_expired']) {
      const text = `This license: ${code}`;
      server.override((path) => (path === '/api/cli/license-key/check' ? problemOf(403, code, text) : null));
      const ran = await typing(['login', '--with-key', '--server', server.url], [`${KEY}\r`]);
      expect([ran.code, promptsIn(ran.err)]).toEqual([4, ['License key']]);
      expect(ran.err).toContain(text);
    }
    expect(server.logins).toEqual([]);
  });

  it('keeps the details if an earlier server, which checks no key before, does not know it', async () => {
    server.override((path) => (path === '/api/cli/license-key/check' ? problemOf(404, 'not_found', 'Not found') : null));
    const answers = [`${WRONG}\r`, 'ada\r', 'ada@example.com\r', `${KEY}\r`];
    const ran = await typing(['login', '--with-key', '--server', server.url], answers);
    expect(ran.code).toBe(0);
    expect(promptsIn(ran.err)).toEqual(['License key', 'Username', 'Email', 'Unknown license key']);
    expect(server.logins.at(-1)).toMatchObject({ licenseKey: KEY, username: 'ada', email: 'ada@example.com' });
  });

  it('can cancel with Ctrl-C or Ctrl-D', async () => {
    for (const keys of ['\u0003', '\u0004']) {
      const ran = await typing(['login', '--with-key', '--server', server.url], [keys]);
      expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('Cancelled. You are not signed in.')]);
    }
    expect(server.logins).toEqual([]);
  });
});
