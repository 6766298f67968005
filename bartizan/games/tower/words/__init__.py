"""All words of Tower: names of things, the words of each verb, what touching means, the story."""
