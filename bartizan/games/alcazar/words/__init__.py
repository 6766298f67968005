"""All words of Alcazar: names of things, the words of each verb, the story, what touching means."""
