/** Seats of a kind: -1 is unlimited. */
export const UNLIMITED_SEATS = -1;
export const MAX_SEATS = 1_000_000;
export const DEFAULT_DEVELOPER_SEATS = 10;
export const DEFAULT_STAKEHOLDER_SEATS = 5;
export const DEFAULT_SEAT_LIMITS_ENFORCED = true;

/** Seat usage in percent: below the first it is fine, from the first a warning, from the second a danger. */
export const SEAT_WARNING_PERCENT = 70;
export const SEAT_DANGER_PERCENT = 90;

export const DEFAULT_TIER = 'ENT';

export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 128;

/** Longest texts, in UTF-16 code units. */
export const MAX_NAME = 200;
export const MAX_EMAIL = 254;
export const MAX_URL = 2048;
export const MAX_USERNAME = 100;
export const MAX_MACHINE_ID = 200;
export const MAX_THEME_NAME = 50;
export const MAX_DISPLAY_NAME = 100;
export const MAX_DESCRIPTION = 500;
export const MAX_SECRET = 4096;
export const MAX_OPERATION = 200;
export const MAX_SOURCE_ID = 200;

/** Calls one request of a command-line tool may carry, and the highest number a source may give one. */
export const MAX_CALLS = 1000;
export const MAX_SEQUENCE = 1_000_000_000_000;
export const MAX_CALL_DURATION_MS = 86_400_000;
/** How far a call's own time may be off the server's. */
export const MAX_CALL_AHEAD_MS = 5 * 60_000;
export const MAX_CALL_AGE_MS = 400 * 86_400_000;

export const DEFAULT_LIST_LIMIT = 100;
export const MAX_LIST_LIMIT = 500;

/** Days a usage screen may show. */
export const USAGE_RANGES = [7, 30, 90] as const;
export const DEFAULT_USAGE_RANGE = 30;
export const RECENT_CUSTOMERS = 5;

/** Characters of a machine id that a screen shows. */
export const SHOWN_MACHINE_ID = 16;
export const DNS_PROPAGATION_HOURS = 48;
/** Uptime above this many seconds is shown in hours, else in minutes. */
export const UPTIME_IN_HOURS_FROM_SECONDS = 3600;
export const SAVED_SHOWN_MS = 3000;
export const CLIENT_CACHE_MS = 5 * 60_000;

export const MAX_TOASTS = 20;
/** How long a toast stays: in the admin and customer areas, and in the integrator area. */
export const TOAST_MS = { success: 2000, error: 4000 } as const;
export const INTEGRATOR_TOAST_MS = { success: 3000, error: 5000, other: 4000 } as const;

/** What a new custom theme starts with. */
export const THEME_DEFAULTS = {
  primaryColor: '#0070AD',
  secondaryColor: '#00CFFF',
  accentColor: '#FFB81C',
  background: '#FFFFFF',
  foreground: '#000000',
} as const;
