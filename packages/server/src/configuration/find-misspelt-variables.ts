import { isOneLetterOff } from '@gateleg/domain/values/is-one-letter-off'

/** Beginnings that other programs' variables have, too. */
const beginningsOfAll = new Set(['DATA_', 'LOG_', 'MAIL_', 'MAX_', 'PUBLIC_'])

/**
 * Returns sentences about unknown variables that look like the product's own: they begin as these do, or differ by
 * one letter. The values of the variables are left out.
 */
export function findMisspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly string[] {
  const beginnings = new Set(known.flatMap((name) => /^[A-Z0-9]+_/.exec(name)?.[0] ?? []))
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name) || !env[name]) return []
    const meant = known.find((other) => isLike(name.toUpperCase(), other))
    if (meant !== undefined) {
      return [`${name} is not known and does nothing: is ${meant} meant?`]
    }
    const beginning = /^[A-Z0-9]+_/.exec(name)?.[0] ?? ''
    if (!beginnings.has(beginning) || beginningsOfAll.has(beginning)) return []
    const alike = known.filter((other) => other.startsWith(beginning))
    const verb = alike.length === 1 ? 'is' : 'are'
    return [`${name} is not known and does nothing: there ${verb} ${alike.join(', ')}.`]
  })
}

/** What other programs call a thing of ours. */
const foreignNames: Readonly<Record<string, string>> = {
  TRUST_PROXY: 'TRUSTED_PROXIES',
  TRUST_PROXIES: 'TRUSTED_PROXIES',
  TRUSTED_PROXY: 'TRUSTED_PROXIES',
}

function isLike(name: string, other: string): boolean {
  return name === other || foreignNames[name] === other || isOneLetterOff(name, other)
}
