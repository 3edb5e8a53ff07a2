import type { Ports } from '@gateleg/domain/ports'
import { defaultSettings } from '@gateleg/domain/settings'

/** The ports of an engine besides its storage; a program may pass its own. */
export type ReplaceablePorts = Omit<Ports, 'store'>

/** All their names; complete by its type. */
export const replaceableNames: Readonly<Record<keyof ReplaceablePorts, true>> = {
  clock: true,
  ids: true,
  secrets: true,
  passwords: true,
  signUpPolicy: true,
  mail: true,
  settings: true,
  plans: true,
  blobs: true,
  thumbnails: true,
  fileFetcher: true,
  csvReader: true,
  openIdClient: true,
}

/**
 * Throws a TypeError for unknown or invalid ports, because a program in plain JavaScript has no compiler to report
 * them.
 */
export function requireKnownPorts(ports: unknown = {}): void {
  if (typeof ports !== 'object' || ports === null) {
    throw new TypeError('openEngine takes ports as an object: { clock }')
  }
  for (const [name, port] of Object.entries(ports)) {
    if (!Object.hasOwn(replaceableNames, name)) {
      const known = Object.keys(replaceableNames).join(', ')
      throw new TypeError(`openEngine has no port named ${name}: the ports are ${known}`)
    }
    if (port !== undefined && (typeof port !== 'object' || port === null)) {
      throw new TypeError(`The port ${name} must be an object that does what its type says`)
    }
  }
  if ('settings' in ports && ports.settings !== undefined) requireWhole(ports.settings as object)
}

/** Settings of which one is missing would limit nothing: every number is less than one that isn't there, or not more. */
function requireWhole(settings: object): void {
  for (const name of Object.keys(defaultSettings)) {
    const value = (settings as Readonly<Record<string, unknown>>)[name]
    if (typeof value === 'number' && !Number.isNaN(value)) continue
    throw new TypeError(
      `The port settings has no number ${name}: begin with { ...defaultSettings }`,
    )
  }
}
