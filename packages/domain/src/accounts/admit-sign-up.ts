import { DomainError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { CallContext } from '../use-case.ts'

/** Lets those go on to sign up whom the instance lets: anybody, unless it is closed or they are no human. */
export async function admitSignUp(
  { signUpPolicy, origin }: CallContext & Pick<Ports, 'signUpPolicy'>,
  turnstileToken: string | undefined,
): Promise<void> {
  if (signUpPolicy.closed) {
    throw new DomainError('restricted_resource', 'Nobody can sign up here: ask for an account')
  }
  const { humanCheck } = signUpPolicy
  if (!humanCheck) return
  if (!turnstileToken || !(await humanCheck.isHuman(turnstileToken, origin.address))) {
    throw new DomainError(
      'invalid_captcha',
      'The human check was not passed: send the turnstileToken of a new one',
    )
  }
}
