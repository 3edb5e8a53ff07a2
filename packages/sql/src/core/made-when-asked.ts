/** Objects of a class that has a member for each of these functions. */
type MadeOf<Parts, Makers extends Readonly<Record<string, (parts: Parts) => unknown>>> = new (
  parts: Parts,
) => { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> }

/**
 * A class whose members are each made by a function of the same name, when they are asked for first: of
 * dozens of members most objects need a few. The type of what they are made of is given, the functions follow.
 */
export function madeWhenAsked<Parts>() {
  return <const Makers extends Readonly<Record<string, (parts: Parts) => unknown>>>(
    makers: Makers,
  ): MadeOf<Parts, Makers> => {
    class Made {
      readonly made: Record<string, unknown> = {}
      readonly parts: Parts

      constructor(parts: Parts) {
        this.parts = parts
      }
    }
    for (const [name, make] of Object.entries(makers)) {
      Object.defineProperty(Made.prototype, name, {
        get(this: Made) {
          this.made[name] ??= make(this.parts)
          return this.made[name]
        },
      })
    }
    return Made as unknown as MadeOf<Parts, Makers>
  }
}
