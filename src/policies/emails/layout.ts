import { escapedHtml } from '../../contracts/html.ts';
import type { Brand } from './brand.ts';

/** What an email says. `facts` are lines of a label and a value. */
export type Content = Readonly<{
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  facts?: readonly (readonly [label: string, value: string])[];
  action?: Readonly<{ label: string; url: string }>;
  closing: string;
}>;

const channel = (hex: string, start: number): number => {
  const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Black or white, whichever has the higher contrast on `#RRGGBB`. */
const textOn = (hex: string): string => {
  const luminance = 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
  return luminance > 0.179 ? '#000000' : '#FFFFFF';
};

const textOf = ({ name }: Brand, { greeting, paragraphs, facts = [], action, closing }: Content): string =>
  [
    greeting,
    ...paragraphs,
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    action ? `${action.label}:\n${action.url}` : '',
    closing,
    `-- \n${name}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

const htmlOf = ({ name, color }: Brand, { subject, greeting, paragraphs, facts = [], action, closing }: Content): string => {
  const paragraph = (text: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${escapedHtml(text)}</p>`;
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#5B6472">${escapedHtml(label)}</td><td style="padding:2px 0">${escapedHtml(value)}</td></tr>`,
  );
  const table = rows.length > 0 ? `<table role="presentation" style="margin:0 0 16px;font-size:14px">${rows.join('')}</table>` : '';
  const button = action
    ? `<p style="margin:0 0 16px"><a href="${escapedHtml(action.url)}" style="display:inline-block;padding:10px 20px;border-radius:6px;` +
      `background:${color};color:${textOn(color)};text-decoration:none;font-weight:600">${escapedHtml(action.label)}</a></p>` +
      `<p style="margin:0 0 16px;font-size:13px;color:#5B6472;word-break:break-all">${escapedHtml(action.url)}</p>`
    : '';
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapedHtml(subject)}</title></head><body style="margin:0;padding:24px 12px;background:#F4F6F8;color:#0A0E13;${FONT};` +
    `font-size:15px;line-height:1.5"><div style="max-width:520px;margin:0 auto;background:#FFFFFF;border:1px solid #DDE2E8;` +
    `border-top:4px solid ${color};border-radius:8px;padding:24px"><p style="margin:0 0 16px;font-weight:700">${escapedHtml(name)}</p>` +
    `${paragraph(greeting)}${paragraphs.map((text) => paragraph(text)).join('')}${table}${button}` +
    `${paragraph(closing, 'font-size:13px;color:#5B6472')}</div></body></html>`
  );
};

/** Renders an email as plain text and as HTML in the colors of the brand. */
export const render = (brand: Brand, content: Content): { subject: string; text: string; html: string } => ({
  subject: content.subject,
  text: textOf(brand, content),
  html: htmlOf(brand, content),
});
