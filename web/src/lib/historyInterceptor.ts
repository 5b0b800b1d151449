type Interceptor = (event: PopStateEvent) => void;

const interceptors: Interceptor[] = [];

// Listeners of the window run in the order of their registration: this one is registered before the router's.
window.addEventListener('popstate', (event) => interceptors.at(-1)?.(event));

/** Passes each step through the browser's history to the interceptor before the router gets it. Returns what stops that. */
export const interceptHistory = (interceptor: Interceptor): (() => void) => {
  interceptors.push(interceptor);
  return () => {
    const at = interceptors.indexOf(interceptor);
    if (at >= 0) interceptors.splice(at, 1);
  };
};
