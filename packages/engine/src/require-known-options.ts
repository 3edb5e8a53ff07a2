import { isOneLetterOff } from '@gateleg/domain/values/is-one-letter-off'

/**
 * Throws a TypeError for an option that the function doesn't have, with the one that is meant where it is one letter
 * off, or differs in case: a program in plain JavaScript has no compiler that tells it. `known` is complete by its type.
 */
export function requireKnownOptions<Options extends object>(
  callee: string,
  options: Partial<Options> | undefined,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const names = Object.keys(known)
  for (const name of Object.keys(options ?? {})) {
    if (Object.hasOwn(known, name)) continue
    const meant = names.find((other) => isLike(name.toLowerCase(), other.toLowerCase()))
    const hint = meant === undefined ? `there are ${names.join(', ')}` : `did you mean ${meant}?`
    throw new TypeError(`${callee} has an unknown option ${name}: ${hint}`)
  }
}

function isLike(name: string, other: string): boolean {
  return name === other || isOneLetterOff(name, other)
}
