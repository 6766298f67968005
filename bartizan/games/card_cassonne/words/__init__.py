"""All words of Card-cassonne: names of things, the words of each verb, the story, what touching means."""
