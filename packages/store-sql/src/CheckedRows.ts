/**
 * Whether states that are read back are checked by their schemas.
 *
 * **Details**
 *
 * They were checked when they were written, by this program or by one whose rows are read through steps, and a check of each
 * reading was a third of what a list cost. Tests turn it on: there a state whose JSON is not what its schema says fails.
 *
 * @since 0.1.0
 */
let isChecked = false

/**
 * Checks every state that is read from here on, in the whole process.
 *
 * @category testing
 * @since 0.1.0
 */
export const check = (): void => {
  isChecked = true
}

/**
 * @category getters
 * @since 0.1.0
 */
export const areRowsChecked = (): boolean => isChecked
