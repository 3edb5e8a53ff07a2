import type { OpenStorage } from '@gateleg/domain/store'
import { NodeSecrets } from './platform/node-secrets.ts'

/** Characters that an instance key has at least. */
export const instanceKeyLengthMin = 32

/** An instance key that can't be taken; the message is one sentence for who runs the program. */
export class InstanceKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InstanceKeyError'
  }
}

/**
 * The key that the storage's secrets are sealed with: the one that is given, else the one that the storage
 * keeps, which is made when there is none. Throws InstanceKeyError for one that is too short, and for
 * another one than the storage was begun with.
 */
export async function takeInstanceKey(
  storage: Pick<OpenStorage, 'instanceKey' | 'keyFingerprint'>,
  given: string | (() => string) | undefined,
): Promise<string> {
  const chosen = typeof given === 'function' ? given() : given
  if (chosen !== undefined && chosen.length < instanceKeyLengthMin) {
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
