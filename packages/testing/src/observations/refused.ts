import { expect } from 'vitest'

/** Expects that the call fails with the code, and with such a message if one is given. */
export async function refused(
  call: Promise<unknown>,
  code: string,
  message?: RegExp,
): Promise<void> {
  await expect(call).rejects.toMatchObject({
    code,
    ...(message && { message: expect.stringMatching(message) }),
  })
}
