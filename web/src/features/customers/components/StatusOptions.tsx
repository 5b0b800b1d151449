import { customerTexts } from '../texts.ts';

/** The options of an account's status, of customers and service integrators alike. */
export const StatusOptions = () =>
  Object.entries(customerTexts.statuses).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
