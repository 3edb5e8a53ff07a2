/** The scopes that a text names, with spaces between them, known or not. */
export function toScopes(scope: string | undefined): readonly string[] {
  return scope?.split(' ').filter((one) => one !== '') ?? []
}
