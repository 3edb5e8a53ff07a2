import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import { madeOnce } from '@gateleg/domain/structures/made-once'
import type { LatePorts } from './wiring/late-ports.ts'

/** Finds the actors behind credentials, with code that the first credential loads. */
export function authenticateLate(ports: LatePorts): Authenticate {
  let made: Authenticate | undefined
  const make = madeOnce(async () => {
    const { authenticateWith } = await import('@gateleg/domain/accounts/operations/authenticate')
    made = authenticateWith(await ports.load())
    return made
  })
  return async (credential, options) => {
    const authenticate = made ?? (await make())
    return authenticate(credential, options)
  }
}
