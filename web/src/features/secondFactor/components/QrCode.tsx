import { chakra } from '@chakra-ui/react';
import { correction, generate } from 'lean-qr/nano';
import { useMemo } from 'react';

/** Modules of empty space around the code, which scanners need. */
const MARGIN = 4;

/** The dark modules as squares of one path. */
const pathOf = (text: string): { path: string; size: number } => {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const squares: string[] = [];
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) squares.push(`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`);
  }
  return { path: squares.join(''), size: code.size + 2 * MARGIN };
};

/** A text as a QR code, dark on light in both color modes, since not every scanner reads an inverted one. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { path, size } = useMemo(() => pathOf(text), [text]);
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      boxSize="180px"
      flexShrink="0"
      borderRadius="l2"
      borderWidth="1px"
      borderColor="border"
      bg="white"
    >
      <path d={path} fill="#000" />
    </chakra.svg>
  );
};
