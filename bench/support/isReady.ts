/** Whether a server accepts requests and is ready. */
export const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false; // the port is not open yet
  }
};
