import { describe, expect, it } from 'vitest';
import { browserOf } from '../../src/http/requests/browser.ts';

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('the browser of a User-Agent header', () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/142.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} OPR/124.0.0.0`, 'Opera on macOS'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome.replace('Safari', 'Mobile Safari')}`, 'Chrome on Android'],
    [`Mozilla/5.0 (Linux; Android 14) ${chrome.replace('Chrome', 'SamsungBrowser/28.0 Chrome')}`, 'Samsung Internet on Android'],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, 'Chrome on ChromeOS'],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    ['latchkey/1.4.0 node/22.12.0 darwin', 'Latchkey on macOS'],
    ['latchkey/1.4.0 node/22.12.0 win32', 'Latchkey on Windows'],
    ['curl/8.5.0', 'curl'],
    ['Mozilla/5.0 (Windows NT 10.0)', 'Windows'],
  ])('of %s is %s', (header, browser) => {
    expect(browserOf(header)).toBe(browser);
  });

  it('is null where nothing is known, and never what the client wrote', () => {
    for (const header of [undefined, '', 'x', '<script>alert(1)</script>', `${' '.repeat(600)}Firefox/1`]) {
      expect(browserOf(header)).toBeNull();
    }
  });
});
