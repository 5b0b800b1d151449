/** The same spinner that the page itself shows before any script has run. */
export const PageSpinner = () => (
  <div className="boot" role="status">
    <svg className="boot-ring" width="32" height="32" viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <circle cx="16" cy="16" r="13" strokeWidth="2.5" />
      <path d="M29 16A13 13 0 0 0 16 3" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
    <span className="visually-hidden">Loading</span>
  </div>
);
