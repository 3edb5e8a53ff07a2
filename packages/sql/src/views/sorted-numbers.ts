/** Bits of a number by which numbers are sorted at a time. */
const digits = 2 ** 11

/** Numbers that are looked at between two looks at whether others wait. */
const numbersInOneTurn = 4_096

/** How many decimal places of a number with its place are those of the place. */
const placeDigits = 7

/** What a number with its place is divided by: the rest is the place. */
export const placesMax = 10 ** placeDigits

type GiveWay = () => Promise<void>

/** The numbers of records that stand in an order, told by number, each with the place at which it stands. */
export class SortedNumbers {
  readonly #numbers: Float64Array
  readonly #indexes: Uint32Array

  private constructor(numbers: Float64Array, indexes: Uint32Array) {
    this.#numbers = numbers
    this.#indexes = indexes
  }

  /** Takes a text of so many whole numbers as they stand, with commas between. */
  static async from(text: string, count: number, giveWay: GiveWay): Promise<SortedNumbers> {
    const numbers = new Float64Array(count)
    const indexes = new Uint32Array(count)
    let last = 0
    let start = 0
    for (let index = 0; index < count; index++) {
      const comma = text.indexOf(',', start)
      const number = Number(text.slice(start, comma < 0 ? text.length : comma))
      numbers[index] = number
      indexes[index] = index
      last = Math.max(last, number)
      start = comma + 1
      if (index % numbersInOneTurn === 0) await giveWay()
    }
    return new SortedNumbers(numbers, await byNumber(indexes, { numbers, last }, giveWay))
  }

  /** Some of them as a JSON list, by number: of each the number with its place in the last digits. */
  withPlaces(start: number, most: number): string {
    const some = this.#indexes.subarray(start, start + most)
    const texts = Array.from(some, (index) => {
      const place = String(index + 1).padStart(placeDigits, '0')
      return `${this.#numbers[index]}${place}`
    })
    return `[${texts.join(',')}]`
  }
}

/** The indexes of the numbers, those of small ones first. Sorts digit by digit, which can pause, unlike the built-in way. */
async function byNumber(
  unsorted: Uint32Array<ArrayBuffer>,
  { numbers, last }: { readonly numbers: Float64Array; readonly last: number },
  giveWay: GiveWay,
): Promise<Uint32Array> {
  let indexes = unsorted
  let sorted = new Uint32Array(numbers.length)
  for (let unit = 1; unit <= last; unit *= digits) {
    const digitOf = (index: number) => Math.floor((numbers[index] ?? 0) / unit) % digits
    const starts = new Uint32Array(digits + 1)
    for (const [at, index] of indexes.entries()) {
      const next = digitOf(index) + 1
      starts[next] = (starts[next] ?? 0) + 1
      if (at % numbersInOneTurn === 0) await giveWay()
    }
    for (let digit = 1; digit < digits; digit++) {
      starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0)
    }
    for (const [at, index] of indexes.entries()) {
      const digit = digitOf(index)
      const place = starts[digit] ?? 0
      sorted[place] = index
      starts[digit] = place + 1
      if (at % numbersInOneTurn === 0) await giveWay()
    }
    ;[indexes, sorted] = [sorted, indexes]
  }
  return indexes
}
