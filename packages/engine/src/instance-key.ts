import type { OpenStorage } from '@gateleg/domain/store'
import { NodeSecrets } from './platform/node-secrets.ts'

/** The minimum number of characters of an instance key. */
export const instanceKeyLengthMin = 32

/** An instance key that can't be taken; the message is one sentence for who runs the program. */
export class InstanceKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InstanceKeyError'
  }
}

/**
 * Returns the key with which the secrets of the storage are sealed: the given one, or else the one that the storage
 * keeps, which is created when there is none. Throws InstanceKeyError for a key that is too short, or isn't the one
 * that the storage was created with.
 */
export async function takeInstanceKey(
  storage: Pick<OpenStorage, 'instanceKey' | 'keyFingerprint'>,
  given: string | (() => string | Promise<string>) | undefined,
): Promise<string> {
  const chosen: unknown = typeof given === 'function' ? await given() : given
  const isKey = typeof chosen === 'string' && chosen.length >= instanceKeyLengthMin
  if (chosen !== undefined && !isKey) {
    throw new InstanceKeyError(
      `The instance key must have ${instanceKeyLengthMin} characters or more`,
    )
  }
  const key = chosen ?? (await storage.instanceKey(NodeSecrets.newInstanceKey()))
  const fingerprint = NodeSecrets.fingerprintOf(key)
  if ((await storage.keyFingerprint(fingerprint)) !== fingerprint) {
    throw new InstanceKeyError(
      'The instance key is not the one that the data was created with: the secrets in the data can be read only with that key',
    )
  }
  return key
}
