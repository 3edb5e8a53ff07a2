import type { Express } from 'express'

/** Sets the proxies that the app trusts. Throws a TypeError for anything but a list of addresses and networks. */
export function trustProxies(app: Express, proxies: readonly string[]): void {
  const sentence =
    'trustedProxies takes a list of addresses and networks, as ["10.0.0.1", "10.1.0.0/16"]'
  if (!Array.isArray(proxies)) throw new TypeError(sentence)
  try {
    app.set('trust proxy', [...proxies])
  } catch (cause) {
    throw new TypeError(sentence, { cause })
  }
}
