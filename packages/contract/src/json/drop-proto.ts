const spelt =
  /(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}/

/** Whether the JSON text has the name `__proto__` anywhere, however it is spelt: only then need what is parsed of it be walked. */
export function spellsProto(text: string): boolean {
  return text.includes('__proto__') || (text.includes('\\u') && spelt.test(text))
}

/** Deletes members named `__proto__` from the value, at any depth. */
export function dropProto(value: unknown): void {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    dropOwnProto(next)
    for (const member of Object.values(next)) waiting.push(member)
  }
}

/** Deletes the member `__proto__` from one object. */
export function dropOwnProto(value: object): void {
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
}
