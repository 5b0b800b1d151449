import { Button } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { Check, Copy } from './icons.ts';
import { notify } from './notify.ts';

const SHOWN_MS = 2000;

/** Copies a text; `label` names it, as 'Copy license key'. Does not increase the height of a row; its icon aligns with texts. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      notify.error("Couldn't copy. Select the text and copy it manually.");
    }
  };
  return (
    <Button variant="ghost" size="xs" px="0" my="-1" me="-1.5" onClick={copy} aria-label={copied ? 'Copied' : label}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
    </Button>
  );
};
