type Interceptor = (event: PopStateEvent) => void;

const interceptors: Interceptor[] = [];

// Listeners of the window run in the order of their registration: this one is there before the router's.
window.addEventListener('popstate', (event) => interceptors.at(-1)?.(event));

/** Has every step through the browser's history seen before the router sees it; stopped by what this returns. */
export const interceptHistory = (interceptor: Interceptor): (() => void) => {
  interceptors.push(interceptor);
  return () => {
    const at = interceptors.indexOf(interceptor);
    if (at >= 0) interceptors.splice(at, 1);
  };
};
