import express from 'express'
import type { TrustProxy } from '../exchange/caller-address.ts'

/** Which proxies are trusted. Throws a TypeError for anything but a list of addresses and networks. */
export function trustProxies(proxies: readonly string[]): TrustProxy {
  const sentence =
    'trustedProxies takes a list of addresses and networks, as ["10.0.0.1", "10.1.0.0/16"]'
  if (!Array.isArray(proxies)) throw new TypeError(sentence)
  try {
    return express()
      .set('trust proxy', [...proxies])
      .get('trust proxy fn')
  } catch (cause) {
    throw new TypeError(sentence, { cause })
  }
}
