/**
 * The values of all promises. Waits for all of them, also where one fails: what is left would go on when its transaction has
 * ended. Fails as the first in the list that failed.
 */
export async function waitForAll<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  for (const ended of await Promise.allSettled(promises)) {
    if (ended.status === 'rejected') throw ended.reason
  }
  return Promise.all(promises)
}
