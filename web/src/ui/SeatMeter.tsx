import './rows.css';
import { format } from '../lib/format.ts';
import type { Tone } from './badges.tsx';
import { type MeterTone, seatUsage } from './seats.ts';

const tones = { success: 'green', warning: 'amber', danger: 'red' } as const satisfies Record<MeterTone, Tone>;

type SeatMeterProps = { label: string; active: number; allocated: number; isWide?: boolean };

/** Active of allocated seats, as numbers, a percentage and a bar. */
export const SeatMeter = ({ label, active, allocated, isWide = false }: SeatMeterProps) => {
  const { percent, tone } = seatUsage(active, allocated);
  const spoken =
    percent === null
      ? `${label}: ${active} used, unlimited`
      : `${label}: ${active} of ${allocated} used, ${percent} percent, ${tone}`;
  return (
    <div className={`meter tone-${tones[tone]}${isWide ? ' meter-wide' : ''}`} role="img" aria-label={spoken}>
      <div className="meter-text" aria-hidden>
        <span>
          {format.whole(active)}
          <i>{` / ${percent === null ? '∞' : format.whole(allocated)}`}</i>
        </span>
        {percent === null ? <i>Unlimited</i> : <b>{percent}%</b>}
      </div>
      <div className="meter-track" aria-hidden>
        {percent !== null && <div style={{ width: `${Math.min(100, percent)}%` }} />}
      </div>
    </div>
  );
};
