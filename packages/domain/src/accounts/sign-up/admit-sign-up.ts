import { DomainError } from '../../errors.ts'
import type { Ports } from '../../ports.ts'
import type { CallContext } from '../../use-case.ts'

/** Lets those go on to sign up whom the instance lets: anybody, unless it is closed or they are no human. */
export async function admitSignUp(
  { signUpPolicy, origin }: CallContext & Pick<Ports, 'signUpPolicy'>,
  turnstileToken: string | undefined,
): Promise<void> {
  if (signUpPolicy.closed) {
    throw new DomainError(
      'restricted_resource',
      'Sign-up is closed on this instance: ask its operator for an account',
    )
  }
  const { humanCheck } = signUpPolicy
  if (!humanCheck) return
  if (!turnstileToken || !(await humanCheck.isHuman(turnstileToken, origin.address))) {
    throw new DomainError(
      'invalid_captcha',
      'The captcha was not passed: solve a new one, and send its turnstileToken',
    )
  }
}
