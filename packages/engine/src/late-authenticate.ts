import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import type { Ports } from '@gateleg/domain/ports'

/** Finds the actors behind credentials, with code that the first credential loads. */
export function authenticateLate(ports: Ports): Authenticate {
  let made: Authenticate | undefined
  let making: Promise<Authenticate> | undefined
  const make = async () => {
    const { authenticateWith } = await import('@gateleg/domain/accounts/operations/authenticate')
    made = authenticateWith(ports)
    return made
  }
  return async (credential, options) => {
    making ??= make()
    const authenticate = made ?? (await making)
    return authenticate(credential, options)
  }
}
