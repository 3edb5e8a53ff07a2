import { isOneLetterOff } from '../values/is-one-letter-off.ts'

/** The known names of options; the type makes sure that the list is complete. */
export type KnownNames<Options extends object> = Readonly<Record<keyof Options, true>>

/** An unknown option, and a hint about it. */
interface UnknownOption {
  readonly name: string
  /** The option that is meant, where a name differs by one letter or in case; otherwise all known options. */
  readonly hint: string
}

/**
 * Throws a TypeError for an unknown option, with the one that is meant, because a program in plain JavaScript has no
 * compiler that finds it.
 */
export function requireKnownOptions<Options extends object>(
  callee: string,
  options: Partial<Options> | undefined,
  known: KnownNames<Options>,
): void {
  const unknown = findUnknownOption(options ?? {}, known)
  if (!unknown) return
  throw new TypeError(`${callee} has an unknown option ${unknown.name}: ${unknown.hint}`)
}

/** The first option that isn't known. */
export function findUnknownOption<Options extends object>(
  options: object,
  known: KnownNames<Options>,
): UnknownOption | undefined {
  const name = Object.keys(options).find((one) => !Object.hasOwn(known, one))
  if (name === undefined) return undefined
  const names = Object.keys(known)
  const meant = names.find((other) => isLike(name.toLowerCase(), other.toLowerCase()))
  const hint = meant === undefined ? `there are ${names.join(', ')}` : `did you mean ${meant}?`
  return { name, hint }
}

function isLike(name: string, other: string): boolean {
  return name === other || isOneLetterOff(name, other)
}
