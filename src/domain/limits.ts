import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

/** Seats of a kind: -1 is unlimited. */
export const UNLIMITED_SEATS = -1;
/** The most seats of a kind, unless unlimited. */
export const MAX_SEATS = 1_000_000;
/** Developer seats of a customer that a service integrator creates. */
export const DEFAULT_DEVELOPER_SEATS = 10;
/** Stakeholder seats of a customer that a service integrator creates. */
export const DEFAULT_STAKEHOLDER_SEATS = 5;
/** Whether a new customer's seats limit its active users. */
export const DEFAULT_SEAT_LIMITS_ENFORCED = true;

/** The most minutes without use after which the lease of a floating seat ends: a day. */
export const MAX_FLOATING_MINUTES = 1_440;

/** From so many days before its expiry on a license is `expiring`. */
export const EXPIRING_DAYS = 30;
/** The days before its expiry at which the expiry of a license is announced, earliest first. */
export const ANNOUNCED_DAYS = [EXPIRING_DAYS, 14, 7, 1] as const;
/** The most days for which a license works after its expiry. */
export const MAX_GRACE_DAYS = 365;
/** The most months of one renewal of a license. */
export const MAX_RENEWAL_MONTHS = 120;
/** The most days of one extension of a license. */
export const MAX_EXTENSION_DAYS = 3_650;
/** The most days of the term of a plan. */
export const MAX_PLAN_DAYS = 3_650;
/** The latest expiry of a license, in days from the command on: a hundred years. */
export const MAX_TERM_DAYS = 36_525;

/** How long an offline license is valid, in days, unless the license itself ends before. */
export const OFFLINE_LICENSE_DAYS = 7;
/** The most days for which a plan makes offline licenses valid, because they cannot be revoked. */
export const MAX_OFFLINE_LICENSE_DAYS = 90;
/** The most machines for which a user has a valid offline license. */
export const MAX_OFFLINE_LICENSES = 20;
/** A machine that got an offline license within this time gets the same one again, so that scripts cannot fill the stream. */
export const SAME_OFFLINE_LICENSE_MS = HOUR_MS;

/** The built-in plan: the tier of a license that is created without another plan. It cannot be changed or retired. */
export const DEFAULT_PLAN = 'ENT';
/** What the built-in plan is called. */
export const DEFAULT_PLAN_NAME = 'Enterprise';
/** The most plans beside the built-in one, with those that are retired. */
export const MAX_PLANS = 100;

/** The most entitlements of a license or a plan. */
export const MAX_ENTITLEMENTS = 50;
/** Characters of the code of an entitlement. */
export const MAX_ENTITLEMENT_CODE = 40;

/** Characters of a portal password, at least. */
export const MIN_PASSWORD = 8;
/** Characters of a portal password, at most. */
export const MAX_PASSWORD = 128;

/** Characters of a name, such as of a company, user or plan. Here and below, characters of texts are UTF-16 code units, at most. */
export const MAX_NAME = 200;
/** Characters of an email address (RFC 5321). */
export const MAX_EMAIL = 254;
/** Characters of a URL. */
export const MAX_URL = 2048;
/** Characters of a username. */
export const MAX_USERNAME = 100;
/** Characters of a machine's id. */
export const MAX_MACHINE_ID = 200;
/** Characters of a machine's name. */
export const MAX_MACHINE_NAME = 100;
/** Characters of a theme's name. */
export const MAX_THEME_NAME = 50;
/** Characters of a theme's displayed name. */
export const MAX_DISPLAY_NAME = 100;
/** Characters of a description of a theme. */
export const MAX_DESCRIPTION = 500;
/** Characters of the reason of a status change. */
export const MAX_REASON = 500;
/** Characters of a password or token of a third-party service, and of an authorization code of OpenID Connect. */
export const MAX_SECRET = 4096;
/** Characters of a key or token with which a program or user signs in. */
export const MAX_KEY = 200;
/** Characters of a license key that a request may contain. */
export const MAX_LICENSE_KEY = 64;
/** Characters of the operation of a recorded call. */
export const MAX_OPERATION = 200;
/** Characters of the id of a source of recorded calls. */
export const MAX_SOURCE_ID = 200;
/** The most sources of recorded calls that a search suggests. */
export const MAX_SUGGESTED_SOURCES = 50;
/** Characters of a search. */
export const MAX_SEARCH = 200;
/** Characters of a customer's id in another system. */
export const MAX_EXTERNAL_ID = 200;
/** Characters of a tag of a customer. */
export const MAX_TAG = 40;
/** Characters of the notes about a customer. */
export const MAX_NOTES = 2_000;

/** The most tags of a customer. */
export const MAX_TAGS = 20;
/** The most bytes of a customer's custom fields as JSON. */
export const MAX_CUSTOM_FIELDS = 8_192;

/** The most approved machines of one user. */
export const MAX_MACHINES = 20;
/** The most requests for approval of one user within `MACHINE_REQUEST_MS`, without the approved ones. */
export const MAX_MACHINE_REQUESTS = 5;
/** How long a request for approval, or its rejection, is valid. */
export const MACHINE_REQUEST_MS = DAY_MS;

/** The most instances of one customer that are counted separately; calls to further ones are counted together, by service. */
export const MAX_INSTANCES = 2_000;
/** In place of the address of instances beyond `MAX_INSTANCES`; no instance has this address. */
export const OTHER_INSTANCES = 'other';

/** The highest quota of API calls in a month. */
export const MAX_CALL_QUOTA = 1_000_000_000_000;
/** The parts of a quota, in percent, at which its customer is notified, lowest first. */
export const CALL_QUOTA_NOTICES = [70, 90, 100] as const;

/** The most calls in one request of a command-line tool. */
export const MAX_CALLS = 1000;
/** The highest sequence number of a recorded call. */
export const MAX_SEQUENCE = 1_000_000_000_000;
/** The longest duration of a recorded call: a day. */
export const MAX_CALL_DURATION_MS = DAY_MS;
/** The accepted difference of a call's time from the server's. */
export const MAX_CALL_AHEAD_MS = 5 * MINUTE_MS;
/** The oldest accepted time of a recorded call: 400 days. */
export const MAX_CALL_AGE_MS = 400 * DAY_MS;

/** Rows of a page if the request names no number. */
export const DEFAULT_LIST_LIMIT = 100;
/** Rows of a page, at most. */
export const MAX_LIST_LIMIT = 500;

/** Users, and operations, of a customer that are counted separately in an hour, and in a day; calls of further ones are counted together. */
export const MAX_USAGE_PARTS = 200;
/** The first day of which usage can be read: all zones have differed from UTC by whole quarters of an hour since long before. */
export const FIRST_USAGE_DAY = '2000-01-01';
/** The longest custom range of usage, in days: a year. */
export const MAX_USAGE_DAYS = 366;
/** The longest name of a time zone. */
export const MAX_ZONE = 64;
/** The ranges of usage, in days. */
export const USAGE_RANGES = [7, 30, 90] as const;

/** What a bulk action changes: of customers, or the status of service integrators. */
export const BULK_CHANGES = ['renewal', 'extension', 'plan', 'tags', 'status', 'theme', 'integratorStatus'] as const;
/** One of the kinds of bulk changes; see `BULK_CHANGES`. */
export type BulkChangeKind = (typeof BULK_CHANGES)[number];
/** The longest idle time after which seats are released automatically, in days. */
export const MAX_IDLE_RELEASE_DAYS = 365;
/** The days of which lists of customers have the peak of seats. */
export const SEAT_PEAK_DAYS = 30;
/** The ranges of the utilization of seats, in days. */
export const SEAT_RANGES = [7, 30, 90, 365] as const;
/** Days of usage that are shown at first. */
export const DEFAULT_USAGE_RANGE = 30;

/** The initial values of a new custom theme. */
export const THEME_DEFAULTS = {
  primaryColor: '#0070AD',
  secondaryColor: '#00CFFF',
  accentColor: '#FFB81C',
  background: '#FFFFFF',
  foreground: '#000000',
} as const;

/** Sign-ins are deleted after this many days where nothing else is configured, because they contain addresses. */
export const DEFAULT_SIGN_IN_RETENTION_DAYS = 90;
/** The most days after which sign-ins are deleted. */
export const MAX_SIGN_IN_RETENTION_DAYS = 3_650;

/** The most days by which seats can be filtered as idle. */
export const MAX_IDLE_DAYS = 3_650;

/** How long an invitation is valid. */
export const INVITATION_MS = 7 * DAY_MS;
/** The most emails to one address within an hour; further ones are sent later. */
export const EMAILS_PER_HOUR = 10;
/** A member is notified of a sign-in with a browser or from an address that was not used for this many days. */
export const KNOWN_LOCATION_DAYS = 90;
/** A member is notified of this many wrong codes after the right password within an hour. */
export const WRONG_CODES_NOTICED = 3;
/** The most notices that a reply lists, and that one request dismisses. */
export const MAX_NOTICES = 100;
/** The most members of a team. */
export const MAX_MEMBERS = 1_000;
/** Members with the full role and a second factor that a team needs before sign-in with the key is turned off. */
export const OWNERS_WITHOUT_KEY = 2;
/** The most tenants of a kind in which one email address signs in with a password: each sign-in evaluates as many hashes. */
export const MAX_TEAMS_OF_ADDRESS = 5;
/** Characters of a passkey's name. */
export const MAX_PASSKEY_NAME = 100;
/** How long a challenge for a passkey is valid. */
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE_MS;
/** The most passkeys of a member. */
export const MAX_PASSKEYS = 10;
/** The most API tokens of a tenant that are neither revoked nor expired. */
export const MAX_API_TOKENS = 100;
/** The longest lifetime of an API token: a year, also of 366 days. */
export const API_TOKEN_LIFETIME_MS = 366 * DAY_MS;
/** The most networks that an API token is limited to. */
export const MAX_API_TOKEN_NETWORKS = 20;
/** Recovery codes that a member gets with a second factor. */
export const RECOVERY_CODES = 10;
/** The most email domains of an identity provider. */
export const MAX_EMAIL_DOMAINS = 10;
/** The most values of a claim of an identity provider that are mapped to a role. */
export const MAX_CLAIM_VALUES = 20;
/** Characters of the client secret of an identity provider. */
export const MAX_CLIENT_SECRET = 512;
/** Characters of a claim's name, of one of its values, and of a client id. */
export const MAX_CLAIM = 200;
/** How long a user may take to sign in at the identity provider. */
export const OPENID_SIGN_IN_MS = 10 * MINUTE_MS;

/** How long the codes of a started device authorization are valid. */
export const DEVICE_REQUEST_MS = 10 * MINUTE_MS;
/** The shortest time between two polls of a device authorization, in seconds; a poll that comes earlier adds the second number. */
export const DEVICE_POLL_S = { first: 1, slower: 5, longest: 60 } as const;
/** Device authorizations that may wait: of one address, and of all. */
export const MAX_DEVICE_REQUESTS = { address: 20, all: 20_000 } as const;
/** The letters of the codes that users compare: no vowels, so that they spell no word, and none that look alike (RFC 8628, section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
/** Letters of a user code, which is shown in two groups. */
export const USER_CODE_LENGTH = 8;
/** What the state of OpenID Connect begins with where a user with a session authenticates again. */
export const OPENID_AGAIN_PREFIX = 'again.';
/** How many sign-ins with OpenID Connect a browser may have begun. */
export const MAX_OPENID_SIGN_INS = 4;
/** How long after a proof of who the user is a session may make the calls that ask for a recent one. */
export const RECENT_MS = 10 * MINUTE_MS;
/** The most alert rules. */
export const MAX_ALERT_RULES = 50;
/** The most customers whose alerts of one rule fire at the same time: each of them causes emails, which are limited per hour. */
export const MAX_ALERT_CUSTOMERS = 10;
/** The highest threshold of an alert rule: a day in ms. */
export const MAX_ALERT_THRESHOLD = DAY_MS;
/** The longest time that the condition of an alert rule has to be true: a day. */
export const MAX_ALERT_SECONDS = 86_400;
/** The most lines of an imported file. */
export const MAX_IMPORT_LINES = 20_000;
/** Characters of an imported file's name. */
export const MAX_FILE_NAME = 200;
/** How often recorded calls of a customer can be voided. */
export const MAX_VOIDS = 500;
/** The most entries that the details of an entry list as those of the same request. */
export const MAX_RELATED_ENTRIES = 100;
/** The most names of affected users, machines or customers in the preview of a change. */
export const MAX_NAMED = 5;
/** Characters of the call of a prepared download: with the token of a session, sealed, it fits into a cookie. */
export const MAX_DOWNLOAD_PATH = 2_600;
