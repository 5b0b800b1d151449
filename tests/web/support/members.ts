import type { Page } from 'playwright-core';
import { codeOf, type Joined, PASSWORD } from '../../support/members.ts';
import type { TestConsole } from './console.ts';

/** Fills the sign-in of named users; the code is that of some steps of 30 s later, since each one is accepted once. */
export const signInAs = async (page: Page, { email, secret }: Pick<Joined, 'email' | 'secret'>, steps = 0): Promise<void> => {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  if (secret === null) return;
  await page.getByLabel('Code').fill(codeOf(secret, steps));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

const SIGN_IN = {
  admin: '/admin/login#account',
  integrator: '/service-integrator/login#account',
  portal: '/portal/login#account',
} as const;
const HOME = { admin: '**/admin/dashboard', integrator: '**/service-integrator/dashboard', portal: '**/portal/dashboard' } as const;

/** A page of a named user who signed in, at a path of the area. */
export const openAsMember = async (
  web: TestConsole,
  area: keyof typeof SIGN_IN,
  member: Pick<Joined, 'email' | 'secret'>,
  path: string,
  steps = 0,
): Promise<Page> => {
  const page = await web.open(SIGN_IN[area]);
  await signInAs(page, member, steps);
  await page.waitForURL(HOME[area]);
  await page.goto(path);
  return page;
};
