import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import type { LatePorts } from './late-ports.ts'

/** Finds the actors behind credentials, with code that the first credential loads. */
export function authenticateLate(ports: LatePorts): Authenticate {
  let made: Authenticate | undefined
  let making: Promise<Authenticate> | undefined
  const make = async () => {
    const { authenticateWith } = await import('@gateleg/domain/accounts/operations/authenticate')
    made = authenticateWith(await ports.load())
    return made
  }
  return async (credential, options) => {
    making ??= make()
    const authenticate = made ?? (await making)
    return authenticate(credential, options)
  }
}
