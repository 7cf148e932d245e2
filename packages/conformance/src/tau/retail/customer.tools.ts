import { inject, tool } from 'adorn';

import { setAddress } from './address.js';
import { answerOf, Refusal } from './refusal.js';
import { RetailDatabase } from './retail-database.js';
import { rowAnswer } from './row-answer.js';
import { readRow, readText, type Row } from './row.js';

/** Tools of the retail benchmark that find and change customers. Words, types and answers are the published ones. */
export class CustomerTools {
  constructor(@inject(RetailDatabase) private readonly database: RetailDatabase) {}

  /**
   * Find user id by email. If the user is not found, the function will return an error message.
   * @param email The email of the user, such as 'something@example.com'.
   */
  @tool({ effect: 'read' })
  findUserIdByEmail(email: string): string {
    return this.findUserId((user) => isSameWord(readText(user, 'email'), email));
  }

  /**
   * Find user id by first name, last name, and zip code. If the user is not found, the function will return
   * an error message. By default, find user id by email, and only call this function if the user is not found
   * by email or cannot remember email.
   * @param first_name The first name of the customer, such as 'John'.
   * @param last_name The last name of the customer, such as 'Doe'.
   * @param zip The zip code of the customer, such as '12345'.
   */
  @tool({ effect: 'read' })
  findUserIdByNameZip(first_name: string, last_name: string, zip: string): string {
    return this.findUserId((user) => {
      const name = readRow(user, 'name');
      return (
        isSameWord(readText(name, 'first_name'), first_name) &&
        isSameWord(readText(name, 'last_name'), last_name) &&
        readText(readRow(user, 'address'), 'zip') === zip
      );
    });
  }

  /**
   * Get the details of a user, including their orders.
   * @param user_id The user id, such as 'sara_doe_496'.
   */
  @tool({ effect: 'read' })
  getUserDetails(user_id: string): string {
    return rowAnswer(() => this.database.getUser(user_id));
  }

  /**
   * Modify the default address of a user. The agent needs to explain the modification detail and ask for
   * explicit user confirmation (yes/no) to proceed.
   * @param user_id The user id, such as 'sara_doe_496'.
   * @param address1 The first line of the address, such as '123 Main St'.
   * @param address2 The second line of the address, such as 'Apt 1' or ''.
   * @param city The city, such as 'San Francisco'.
   * @param state The state, such as 'CA'.
   * @param country The country, such as 'USA'.
   * @param zip The zip code, such as '12345'.
   */
  @tool({ effect: 'write' })
  modifyUserAddress(
    user_id: string,
    address1: string,
    address2: string,
    city: string,
    state: string,
    country: string,
    zip: string,
  ): string {
    const address = { address1, address2, city, state, country, zip };
    return rowAnswer(() => setAddress(this.database.getUser(user_id), address));
  }

  private findUserId(isWanted: (user: Row) => boolean): string {
    return answerOf(() => {
      const found = this.database.listUsers().find(([, user]) => isWanted(user));
      if (!found) throw new Refusal('user not found');
      return found[0];
    });
  }
}

function isSameWord(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
