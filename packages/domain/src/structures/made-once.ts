/**
 * Makes something when it is asked for first, once for all who ask. Where that fails, as a load of code does that finds no
 * file descriptor left, whoever asks next has it tried again.
 */
export function madeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | undefined
  return () => {
    making ??= make().catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
}
