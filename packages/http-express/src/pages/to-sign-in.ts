import type { Exchange } from '../exchange/exchange.ts'

/**
 * Where a browser signs in that nobody is signed in with, and comes back from: the front page, with the way back behind the
 * `#`, which is sent to no server. Relative, as a proxy may serve it all below a path that nobody has told us.
 */
export function toSignIn({ path, query }: Exchange): string {
  const up = '../'.repeat(path.split('/').length - 2)
  const back = `${path.slice(1)}${query === '' ? '' : `?${query}`}`
  return `${up}#sign-in=${encodeURIComponent(back)}`
}
